// Ctrl-C and its relatives: the first ends what is going on in good order, the second ends the process.

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Why a run was aborted. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly exitCode: number;
  constructor(signal: keyof typeof CODES) {
    super(signal === "SIGINT" ? "it was interrupted (Ctrl-C)." : `it was ended by ${signal}.`);
    this.exitCode = CODES[signal];
  }
}

export interface Interruption {
  readonly signal: AbortSignal;
  /** 130 for Ctrl-C; undefined as long as nothing came. */
  readonly exitCode: number | undefined;
}

let active: { controller: AbortController; interruption: Interruption } | undefined;

/** Takes over the signals of this process. Children of servers do not get them: their groups are ended by `close()` and with this process. */
export function interruption(): Interruption {
  if (active !== undefined) return active.interruption;
  const controller = new AbortController();
  let exitCode: number | undefined;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (exitCode !== undefined) process.exit(exitCode);
      const reason = new Interrupted(name);
      exitCode = reason.exitCode;
      controller.abort(reason);
    });
  }
  const taken: Interruption = {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
  };
  active = { controller, interruption: taken };
  return taken;
}
