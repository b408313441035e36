import fc from "fast-check";
import { expect, test } from "vitest";
import { PairQueue, Queue } from "../dist/src/queue.js";

test("what was pushed comes out in that order, however the queue grows, empties and is cleared", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -40, max: 90 })), (moves) => {
      const queue = new Queue<number>();
      const pairs = new PairQueue<string, number>();
      const model: number[] = [];
      let next = 0;
      for (const move of moves) {
        if (move === 0) {
          queue.clear();
          pairs.clear();
          model.length = 0;
        }
        for (let i = 0; i < move; i++) {
          queue.push(next);
          pairs.push(`${next}`, next);
          model.push(next++);
        }
        for (let i = 0; i > move; i--) {
          const first = model.shift();
          expect(queue.shift()).toBe(first);
          expect(pairs.first).toBe(first === undefined ? undefined : `${first}`);
          expect(pairs.shift()).toBe(first);
        }
        expect([queue.length, pairs.length]).toEqual([model.length, model.length]);
      }
    }),
  );
  const large = new Queue<number>();
  const pairs = new PairQueue<number, number>();
  for (let i = 0; i < 10_000; i++) {
    large.push(i);
    pairs.push(i, -i);
  }
  for (let i = 0; i < 10_000; i++) expect([large.shift(), pairs.first, pairs.shift()]).toEqual([i, i, -i]);
  expect([large.shift(), pairs.first, pairs.shift()]).toEqual([undefined, undefined, undefined]);
});
