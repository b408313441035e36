import fc from "fast-check";
import { expect, test } from "vitest";
import { Queue } from "../dist/src/queue.js";

test("what was pushed comes out in that order, however the queue grows, empties and is cleared", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -40, max: 90 })), (moves) => {
      const queue = new Queue<number>();
      const model: number[] = [];
      let next = 0;
      for (const move of moves) {
        if (move === 0) {
          queue.clear();
          model.length = 0;
        }
        for (let i = 0; i < move; i++) {
          queue.push(next);
          model.push(next++);
        }
        for (let i = 0; i > move; i--) expect(queue.shift()).toBe(model.shift());
        expect(queue.length).toBe(model.length);
      }
    }),
  );
  const large = new Queue<number>();
  for (let i = 0; i < 10_000; i++) large.push(i);
  for (let i = 0; i < 10_000; i++) expect(large.shift()).toBe(i);
  expect(large.shift()).toBeUndefined();
});
