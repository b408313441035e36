/**
 * The instructions. Operands follow in the code; `pos` is where matching stands.
 *
 * A choice left open is an entry of the stack: a position and the address to go on at, on top of what the instruction there wants. An entry whose
 * address is negative restores a register instead, so failing puts all registers back to what they were when the choice was made.
 */
export const Op = {
  /** Starts the next attempt, or ends the search. Always at address 0. */
  Next: 0,
  Match: 1,
  /** unit */
  Char: 2,
  /** count, unit… */
  Text: 3,
  /** set */
  Set: 4,
  /** set: of a whole code point */
  Point: 5,
  /** The same before `pos`, for lookbehind. */
  CharBack: 6,
  SetBack: 7,
  PointBack: 8,
  /** register */
  Save: 9,
  /** address */
  Jump: 10,
  /** preferred, other, filter of each (-1 for none) */
  Split: 11,
  /** set, least, most, lead (1: where the run ends, the next attempt may start): takes all it can and gives nothing back */
  Run: 12,
  RunPoints: 13,
  /** set, least, most, lead, filter; then Less, filter: takes all it can, gives back one by one */
  Greedy: 14,
  GreedyPoints: 15,
  Less: 16,
  LessPoints: 17,
  /** set, least, most; then More, set, filter, lead: takes as little as it can */
  Lazy: 18,
  LazyPoints: 19,
  More: 20,
  MorePoints: 21,
  /** register */
  Zero: 22,
  Count: 23,
  /** first, last register */
  Clear: 24,
  /** count register, least, most, address of the body, of the end, 1 if lazy */
  Loop: 25,
  /** start register: fails a turn that took nothing */
  Check: 26,
  /** start register, count register, least: the same, for turns beyond the least */
  CheckCounted: 27,
  /** set, 1 or 0: whether the next character is in the set */
  Peek: 28,
  PeekBack: 29,
  /** register, first and last capture inside, address of the end */
  Look: 30,
  LookEnd: 31,
  LookNot: 32,
  LookNotEnd: 33,
  Start: 34,
  End: 35,
  LineStart: 36,
  LineEnd: 37,
  /** set, 1 or 0 */
  Word: 38,
  /** bits (1 ignore case, 2 backward), count, group… */
  BackReference: 39,
  /** table, 1 if backward; then StringsRetry with the same */
  Strings: 40,
  StringsRetry: 41,
} as const;

/** The `most` of a loop without an upper bound. */
export const NO_LIMIT = 0x7fffffff;
