// What acorn's own types leave out: the parser's state and methods that our plugins read, call and override.
// The names are acorn's (and acorn-typescript's, in the second part).

import { tokTypes, type Options, type TokenType } from "acorn";
import type { AnyNode } from "./ast.js";

export interface TokenKind extends TokenType {
  binop: number | null;
  isAssign: boolean;
  startsExpr: boolean;
}

export const tokens = tokTypes as unknown as Record<keyof typeof tokTypes, TokenKind>;

export type NodeStart = { line: number; column: number };

export declare class Internals {
  constructor(options: Options, input: string, startPos?: number);
  options: Options;
  input: string;
  pos: number;
  start: number;
  end: number;
  startLoc: NodeStart;
  lastTokStart: number;
  lastTokEnd: number;
  type: TokenKind;
  value: unknown;
  strict: boolean;
  containsEsc: boolean;
  canAwait: boolean;

  parse(): AnyNode;
  next(ignoreEscape?: boolean): void;
  nextToken(): void;
  eat(type: TokenKind): boolean;
  isContextual(name: string): boolean;
  canInsertSemicolon(): boolean;
  expect(type: TokenKind): void;
  startNode(): AnyNode;
  startNodeAt(pos: number, loc: NodeStart): AnyNode;
  finishNode(node: AnyNode, type: string): AnyNode;
  finishToken(type: TokenKind, value?: unknown): void;
  raise(pos: number, message: string): never;
  raiseRecoverable(pos: number, message: string): never;
  unexpected(pos?: number): never;
  catchStackOverflow<T>(body: () => T): T;
  enterScope(flags: number): void;
  checkUnreserved(ref: { name: string; start: number; end: number }): void;
  readWord1(): string;
  readRegexp(): void;
  skipLineComment(startSkip: number): void;
  parseTopLevel(node: AnyNode): AnyNode;
  parseStatement(context: string | null, topLevel?: boolean, exports?: object): AnyNode;
  parseIfStatement(node: AnyNode): AnyNode;
  parseParenExpression(): AnyNode;
  parseMaybeAssign(forInit?: boolean | string, errors?: object | null, after?: unknown): AnyNode;
  parseMaybeUnary(errors?: object | null, sawUnary?: boolean, incDec?: boolean, forInit?: boolean | string): AnyNode;
  parseExprOp(left: AnyNode, startPos: number, startLoc: NodeStart, minPrec: number, forInit?: boolean | string): AnyNode;
  buildBinary(startPos: number, startLoc: NodeStart, left: AnyNode, right: AnyNode, op: unknown, logical: boolean): AnyNode;
  parseExprAtom(errors?: object | null, forInit?: boolean | string, forNew?: boolean): AnyNode;
  parseBindingAtom(): AnyNode;
  parseFunctionBody(node: AnyNode, isArrow: boolean, isMethod: boolean, forInit?: boolean | string, extra?: unknown): void | AnyNode;
}

/** The parser that acorn-typescript makes over our `flat` one. */
export declare class TypeScriptInternals extends Internals {
  parseTypeOperator(left: AnyNode, startPos: number, startLoc: NodeStart, minPrec: number): AnyNode | undefined;
  match(type: TokenKind): boolean;
  hasPrecedingLineBreak(): boolean;
  tsParseType(): AnyNode;
  tsParseTypeOperatorOrHigher(): AnyNode;
  tsTryNextParseConstantContext(): AnyNode | null;
  tsNextThenParseType(): AnyNode;
  tsParseTypeAnnotation(): AnyNode;
  tryParse(parse: () => AnyNode): { node: AnyNode | null };
  shouldParseArrow(params: AnyNode[]): boolean;
  parseConditional(test: AnyNode, startPos: number, startLoc: NodeStart, forInit?: boolean | string): AnyNode;
  reScan_lt_gt(): void;
  parseParenItem(item: AnyNode): AnyNode;
  typeCastToParameter(cast: AnyNode): AnyNode;
}
