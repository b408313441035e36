// Our two parsers over acorn: JavaScript, and TypeScript (the plugin is loaded, and its classes are made, when first needed). Both are acorn with what this file adds:
// the top level is an async function's body, recursion and work are bounded, flat chains are read in a loop, patterns of regular
// expressions go to our own checker and never to the host's RegExp.

import { Parser, type Options } from "acorn";
import { acornTypeScript } from "../lazy.js";
import type { AnyNode } from "./ast.js";
import { Failure, syntax, tooDeep, unsupported } from "./failure.js";
import { type Internals, type NodeStart, type TokenKind, tokens, type TypeScriptInternals } from "./internals.js";

export type CheckPattern = (source: string, flags: string) => string | undefined;

export interface ParserMode {
  /** A program is the body of an async function; a script is a Script of the language. Both are strict. */
  kind: "program" | "script";
  checkPattern: CheckPattern;
}

/** Parses JavaScript: the root node, or why not. */
export function parseJavaScript(text: string, mode: ParserMode): AnyNode | Failure {
  return run(JavaScriptParser, text, mode, {});
}

/** Parses TypeScript: the root node, or why not. */
export function parseTypeScript(text: string, mode: ParserMode): AnyNode | Failure {
  return run(typeScriptParser(), text, mode, { locations: true });
}

export interface ScannedToken {
  kind: TokenKind;
  text: string;
  start: number;
  end: number;
}

export interface Scan {
  /** The tokens that start at or before the end asked for. */
  tokens: ScannedToken[];
  /** False if the text stopped being tokens before that. */
  complete: boolean;
}

/** The tokens of a text up to an offset: for explaining an error at it. */
export function scan(text: string, end: number): Scan {
  const parser = create(JavaScriptParser, text, { kind: "program", checkPattern: () => undefined }, {});
  const found: ScannedToken[] = [];
  try {
    for (parser.nextToken(); parser.type !== tokens.eof && parser.start <= end; parser.nextToken()) {
      found.push({ kind: parser.type, text: text.slice(parser.start, parser.end), start: parser.start, end: parser.end });
    }
    return { tokens: found, complete: true };
  } catch {
    return { tokens: found, complete: false };
  }
}

const LINE_END = /[\n\r\u2028\u2029]/;

const SCOPE_FUNCTION = 2;
const SCOPE_ASYNC = 4;
const SCOPE_ARROW = 16;

type Extension = typeof Internals;
type OurParser = InstanceType<ReturnType<typeof core>>;

function create(Chosen: typeof Parser, text: string, mode: ParserMode, options: Partial<Options>): OurParser {
  const Constructor = Chosen as unknown as new (options: Options, input: string) => OurParser; // acorn's type hides its constructor
  const parser = new Constructor(
    { ecmaVersion: "latest", sourceType: "script", strict: true, allowImportExportEverywhere: mode.kind === "program", ...options },
    text,
  );
  parser.mode = mode;
  parser.tokensLeft = 20_000 + 8 * text.length;
  return parser;
}

function run(Chosen: typeof Parser, text: string, mode: ParserMode, options: Partial<Options>): AnyNode | Failure {
  const parser = create(Chosen, text, mode, options);
  try {
    return parser.parse();
  } catch (error) {
    if (error instanceof Failure) return error;
    if (error instanceof Overrun) return error.failure;
    if (error instanceof RangeError && /call stack/i.test(error.message)) return tooDeep(parser.start);
    if (options.locations) return new Failure(-1, "The TypeScript parser failed."); // a fault of the plugin's: the other parser decides
    throw error;
  }
}

/** Below all other plugins: meaning. */
function core(Super: Extension) {
  return class Core extends Super {
    mode!: ParserMode;
    tokensLeft = 0;
    nesting = 0;
    /** The functions whose bodies are being parsed, innermost last. */
    readonly functions: AnyNode[] = [];

    override parseTopLevel(node: AnyNode): AnyNode {
      // Inside the script's scope, one for the function that a program is the body of. As an arrow it has no `super` and no `new.target`.
      if (this.mode.kind === "program") this.enterScope(SCOPE_FUNCTION | SCOPE_ASYNC | SCOPE_ARROW);
      return super.parseTopLevel(node);
    }

    override parseStatement(context: string | null, topLevel?: boolean, exports?: object): AnyNode {
      if (!topLevel && this.mode.kind === "program" && this.type === tokens._export)
        throw syntax(this.start, '"export" may stand only at the top level.', "Take it out of the block.");
      return super.parseStatement(context, topLevel, exports);
    }

    override parseFunctionBody(
      node: AnyNode,
      isArrow: boolean,
      isMethod: boolean,
      forInit?: boolean | string,
      extra?: unknown,
    ): void | AnyNode {
      this.functions.push(node);
      try {
        return super.parseFunctionBody(node, isArrow, isMethod, forInit, extra);
      } finally {
        this.functions.pop();
      }
    }

    /** In a program `await` is never a name, as in a module. */
    override checkUnreserved(ref: { name: string; start: number; end: number }): void {
      if (ref.name === "await" && this.mode.kind === "program") throw this.misplacedAwait(ref.start);
      super.checkUnreserved(ref);
    }

    override unexpected(pos?: number): never {
      if (this.mode.kind === "program" && this.isContextual("await")) throw this.misplacedAwait(this.start);
      return super.unexpected(pos);
    }

    misplacedAwait(offset: number): Failure {
      return this.canAwait
        ? syntax(offset, '"await" is a reserved word: it cannot be a name.')
        : new AwaitFailure(offset, this.functions.at(-1));
    }

    override nextToken(): void {
      if (--this.tokensLeft < 0)
        throw new Overrun(
          syntax(
            this.pos,
            "The program is too ambiguous to parse: nested type assertions are tried in too many ways.",
            "Write (value as Type) instead of <Type>value, and put inner parts into variables.",
          ),
        );
      super.nextToken();
    }

    override readRegexp(): void {
      const start = this.pos;
      let escaped = false;
      let inClass = false;
      for (; ; this.pos++) {
        const char = this.input.charAt(this.pos);
        if (char === "" || LINE_END.test(char)) this.raise(start, "Unterminated regular expression");
        if (escaped) escaped = false;
        else if (char === "\\") escaped = true;
        else if (char === "[") inClass = true;
        else if (char === "]") inClass = false;
        else if (char === "/" && !inClass) break;
      }
      const pattern = this.input.slice(start, this.pos);
      const flagsStart = ++this.pos;
      const flags = this.readWord1();
      if (this.containsEsc) this.unexpected(flagsStart);
      const problem = this.mode.checkPattern(pattern, flags);
      if (problem !== undefined) throw syntax(start - 1, `Invalid regular expression: ${problem}`);
      this.finishToken(tokens.regexp, { pattern, flags, value: null });
    }

    /** Acorn's own adds the position to the text, and looks through all lines for it each time. */
    override raise(pos: number, message: string): never {
      throw new Failure(pos, message);
    }

    override raiseRecoverable(pos: number, message: string): never {
      throw new Failure(pos, message);
    }

    override catchStackOverflow<T>(body: () => T): T {
      return body();
    }
  };
}

/** A failure that ends a parse also inside the trials of acorn-typescript, which go on after any SyntaxError. */
class Overrun extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** `await` outside an async function, with the innermost function around it. */
export class AwaitFailure extends Failure {
  readonly inside: AnyNode | undefined;
  constructor(offset: number, inside: AnyNode | undefined) {
    super(offset, '"await" is only allowed in async functions.', {});
    this.inside = inside;
  }
}

/** Above all other plugins: chains that grow to the left are read in loops, where acorn calls itself for each link. */
function flat(Super: ReturnType<typeof core>) {
  return class Flat extends Super {
    /** Acorn calls itself for each operator of `a + b + c …`; this is the same as a loop. */
    override parseExprOp(left: AnyNode, startPos: number, startLoc: NodeStart, minPrec: number, forInit?: boolean | string): AnyNode {
      for (;;) {
        const typed = this.parseTypeOperator(left, startPos, startLoc, minPrec);
        if (typed) {
          left = typed;
          continue;
        }
        const { type } = this;
        let prec = type.binop;
        if (prec === null || prec === undefined || (forInit && type === tokens._in) || prec <= minPrec) return left;
        const logical = type === tokens.logicalOR || type === tokens.logicalAND;
        const coalesce = type === tokens.coalesce;
        if (coalesce) prec = tokens.logicalAND.binop as number;
        const operator = this.value;
        this.next();
        const { start, startLoc: startOfRight } = this;
        const right = this.parseExprOp(this.parseMaybeUnary(null, false, false, forInit), start, startOfRight, prec, forInit);
        left = this.buildBinary(startPos, startLoc, left, right, operator, logical || coalesce);
        if (
          (logical && this.type === tokens.coalesce) ||
          (coalesce && (this.type === tokens.logicalOR || this.type === tokens.logicalAND))
        ) {
          this.raiseRecoverable(this.start, "Logical expressions and coalesce expressions cannot be mixed. Wrap either by parentheses");
        }
      }
    }

    override skipLineComment(startSkip: number): void {
      const html = this.input.startsWith("<!--", this.pos) || this.input.startsWith("-->", this.pos);
      if (html && this.mode.kind === "program")
        throw unsupported(this.pos, "HTML comments are not supported.", "Write // for a comment to the end of the line.");
      super.skipLineComment(startSkip);
    }

    parseTypeOperator(_left: AnyNode, _startPos: number, _startLoc: NodeStart, _minPrec: number): AnyNode | undefined {
      return undefined;
    }

    /** `else if` in a loop. */
    override parseIfStatement(node: AnyNode): AnyNode {
      const chain = [node];
      for (let last = node; ;) {
        this.next();
        last.test = this.parseParenExpression();
        last.consequent = this.parseStatement("if");
        last.alternate = null;
        if (!this.eat(tokens._else)) break;
        if (this.type !== tokens._if) {
          last.alternate = this.parseStatement("if");
          break;
        }
        const next = this.startNode();
        last.alternate = next;
        chain.push(next);
        last = next;
      }
      for (let i = chain.length - 1; i >= 0; i--) this.finishNode(chain[i], "IfStatement");
      return node;
    }
  };
}

/** Over acorn-typescript: its `as` in our loop, its types bounded, and what it lets through in argument lists marked for `erase` to refuse. */
function typeScript(Super: typeof TypeScriptInternals) {
  return class TypeScript extends Super {
    override parseTypeOperator(left: AnyNode, startPos: number, startLoc: NodeStart, minPrec: number): AnyNode | undefined {
      if ((tokens._in.binop as number) <= minPrec || this.hasPrecedingLineBreak()) return undefined;
      const type = this.isContextual("as") ? "TSAsExpression" : this.isContextual("satisfies") ? "TSSatisfiesExpression" : undefined;
      if (!type) return undefined;
      const node = this.startNodeAt(startPos, startLoc);
      node.expression = left;
      if (!this.tsTryNextParseConstantContext()) this.tsNextThenParseType();
      this.finishNode(node, type);
      this.reScan_lt_gt();
      return node;
    }

    /** In `a ? (b) : c => d` the plugin takes `(b): c => d` for an arrow function and finds no ":" after it: then it is read again without. */
    override parseConditional(test: AnyNode, startPos: number, startLoc: NodeStart, forInit?: boolean | string): AnyNode {
      if (!this.eat(tokens.question)) return test;
      const node = this.startNodeAt(startPos, startLoc);
      node.test = test;
      node.consequent = this.type === tokens.parenL || this.isContextual("async") ? this.parseConsequent() : this.parseMaybeAssign();
      this.expect(tokens.colon);
      node.alternate = this.parseMaybeAssign(forInit);
      return this.finishNode(node, "ConditionalExpression");
    }

    parseConsequent(): AnyNode {
      const attempt = this.tryParse(() => {
        const consequent = this.parseMaybeAssign();
        if (!this.match(tokens.colon)) this.unexpected();
        return consequent;
      });
      if (attempt.node) return attempt.node;
      const outer = this.withoutReturnTypes;
      this.withoutReturnTypes = true;
      try {
        return this.parseMaybeAssign();
      } finally {
        this.withoutReturnTypes = outer;
      }
    }

    withoutReturnTypes = false;

    override shouldParseArrow(params: AnyNode[]): boolean {
      return this.withoutReturnTypes && this.match(tokens.colon) ? false : super.shouldParseArrow(params);
    }

    /** `x?`, `x: T` in parentheses: a parameter if an arrow follows, else a mistake. The plugin marks `x?` on the node of `x` itself, where nobody sees it. */
    override parseParenItem(item: AnyNode): AnyNode {
      const optional = this.eat(tokens.question);
      if (!optional && !this.match(tokens.colon)) return item;
      const cast = this.startNodeAt(item.start, item.loc?.start as NodeStart);
      cast.expression = item;
      cast.optional = optional;
      cast.typeAnnotation = this.match(tokens.colon) ? this.tsParseTypeAnnotation() : null;
      return this.finishNode(cast, "TSTypeCastExpression");
    }

    override typeCastToParameter(cast: AnyNode): AnyNode {
      return cast.expression as AnyNode;
    }
  };
}

/**
 * The steps through which the grammar nests, with the stack that each takes: about hundreds of bytes, of the TypeScript parser, in V8's
 * interpreter (measured with `node --jitless`). Both parsers count alike, so that a program is accepted by every thread or by none.
 */
const STEPS: Readonly<Record<string, number>> = {
  parseStatement: 8,
  parseMaybeAssign: 9,
  parseMaybeUnary: 6,
  parseExprOp: 3,
  parseExprAtom: 5,
  parseNew: 2,
  parseTemplate: 3,
  parseSubscripts: 14,
  parseExprList: 3,
  parseObj: 7,
  parseClass: 6,
  parseFunctionBody: 9,
  parseBindingAtom: 9,
  tsParseType: 17,
  tsParseTypeOperatorOrHigher: 4,
  tryParse: 10,
};

/** 600 kB of the 984 kB that V8 gives the main thread. About 250 brackets in each other, or 350 functions. */
const MAX_NESTING = 6_000;

type Step = (this: OurParser, ...args: unknown[]) => unknown;

function bounded(Super: Extension): Extension {
  class Bounded extends Super {}
  const inherited = Super.prototype as unknown as Record<string, Step | undefined>;
  const own = Bounded.prototype as unknown as Record<string, Step>;
  for (const [name, weight] of Object.entries(STEPS)) {
    const step = inherited[name];
    if (!step) continue;
    own[name] = function (...args) {
      this.nesting += weight;
      if (this.nesting > MAX_NESTING) throw new Overrun(tooDeep(this.start));
      try {
        return step.apply(this, args);
      } finally {
        this.nesting -= weight;
      }
    };
  }
  return Bounded;
}

type Extend = (parser: typeof Parser) => typeof Parser;

const JavaScriptParser = Parser.extend(core as unknown as Extend, flat as unknown as Extend, bounded as unknown as Extend);

let TypeScriptParser: typeof Parser | undefined;

function typeScriptParser(): typeof Parser {
  TypeScriptParser ??= Parser.extend(
    core as unknown as Extend,
    acornTypeScript().tsPlugin(),
    flat as unknown as Extend,
    typeScript as unknown as Extend,
    bounded as unknown as Extend,
  );
  return TypeScriptParser;
}
