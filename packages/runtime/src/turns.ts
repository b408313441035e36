// Many executions that begin at the same time take turns, so that the host's event loop is never held up by them all: what is done before a
// run (reading the program, making its tools) is short for each, but not for hundreds.

/** What executions that begin may take of one turn of the event loop. */
const TURN_MS = 5;

const waiting: (() => void)[] = [];
let turnEnds = 0;
let armed = false;

/** Resolves when there is time in this turn of the event loop, or in one of the next. In order. */
export function ownTurn(): Promise<void> | undefined {
  if (!armed) {
    armed = true;
    turnEnds = performance.now() + TURN_MS;
    setImmediate(next);
  }
  if (waiting.length === 0 && performance.now() < turnEnds) return undefined;
  return new Promise((resolve) => waiting.push(resolve));
}

/** One in each turn: what it does runs as a job after this. */
function next(): void {
  const first = waiting.shift();
  armed = first !== undefined;
  if (first === undefined) return;
  turnEnds = 0;
  first();
  setImmediate(next);
}
