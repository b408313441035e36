// Our two parsers over acorn: JavaScript, and TypeScript (the plugin's import takes 10 ms, its classes are made when first needed). Both are acorn with what this file adds:
// the top level is an async function's body, recursion and work are bounded, flat chains are read in a loop, patterns of regular
// expressions go to our own checker and never to the host's RegExp.

import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser, type Options } from "acorn";
import type { AnyNode } from "./ast.js";
import { Failure, syntax, unsupported } from "./failure.js";
import { type Internals, type NodeStart, tokens, type TypeScriptInternals } from "./internals.js";

export type CheckPattern = (source: string, flags: string) => string | undefined;

export interface ParserMode {
  /** A program is the body of an async function; a script is a Script of the language. Both are strict. */
  kind: "program" | "script";
  checkPattern: CheckPattern;
}

/** Most nested grammar steps (see `Bounded`). Measured: the main thread's default stack bears three times this in either parser. */
const MAX_NESTING = 700;

/** Parses JavaScript. Throws a Failure. */
export function parseJavaScript(text: string, mode: ParserMode): AnyNode {
  return run(JavaScriptParser, text, mode, {});
}

/** Parses TypeScript. Throws a Failure. */
export function parseTypeScript(text: string, mode: ParserMode): AnyNode {
  return run(typeScriptParser(), text, mode, { locations: true });
}

const LINE_END = /[\n\r\u2028\u2029]/;

const SCOPE_FUNCTION = 2;
const SCOPE_ASYNC = 4;
const SCOPE_ARROW = 16;

type Extension = typeof Internals;
type OurParser = InstanceType<ReturnType<typeof core>>;

function run(Chosen: typeof Parser, text: string, mode: ParserMode, options: Partial<Options>): AnyNode {
  const Constructor = Chosen as unknown as new (options: Options, input: string) => OurParser; // acorn's type hides its constructor
  const parser = new Constructor({ ecmaVersion: "latest", sourceType: "script", strict: true, allowImportExportEverywhere: mode.kind === "program", ...options }, text);
  parser.mode = mode;
  parser.tokensLeft = 20_000 + 8 * text.length;
  return parser.parse();
}

/** Below all other plugins: meaning. */
function core(Super: Extension) {
  return class Core extends Super {
    mode!: ParserMode;
    tokensLeft = 0;
    /** The functions whose bodies are being parsed, innermost last. */
    readonly functions: AnyNode[] = [];

    override parseTopLevel(node: AnyNode): AnyNode {
      // Inside the script's scope, one for the function that a program is the body of. As an arrow it has no `super` and no `new.target`.
      if (this.mode.kind === "program") this.enterScope(SCOPE_FUNCTION | SCOPE_ASYNC | SCOPE_ARROW);
      return super.parseTopLevel(node);
    }

    override parseStatement(context: string | null, topLevel?: boolean, exports?: object): AnyNode {
      if (!topLevel && this.mode.kind === "program" && this.type === tokens._export) throw syntax(this.start, '"export" may stand only at the top level.', "Take it out of the block.");
      return super.parseStatement(context, topLevel, exports);
    }

    override parseFunctionBody(node: AnyNode, isArrow: boolean, isMethod: boolean, forInit?: boolean | string, extra?: unknown): void | AnyNode {
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
      return new AwaitFailure(offset, this.inClassStaticBlock ? undefined : this.functions.at(-1));
    }

    override skipLineComment(startSkip: number): void {
      if (startSkip > 2 && this.mode.kind === "program" && this.input.startsWith("#!", this.pos) === false) {
        throw unsupported(this.pos, "HTML comments are not supported.", "Write // for a comment to the end of the line.");
      }
      super.skipLineComment(startSkip);
    }

    override nextToken(): void {
      if (--this.tokensLeft < 0) throw new Failure(this.pos, "The program is too ambiguous to parse: nested type assertions and arrow functions are tried in too many ways.", { hints: ["Split nested expressions into statements, and leave out type assertions."] });
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

/** `await` outside an async function, with the function that should be async (none: a place where no function helps). */
export class AwaitFailure extends Failure {
  readonly inside: AnyNode | undefined;
  constructor(offset: number, inside: AnyNode | undefined) {
    super(offset, '"await" is only allowed in async functions.', {});
    this.inside = inside;
  }
}

/** Above all other plugins: recursion. Each step that the grammar nests through counts; chains that nest on the left only are loops. */
function bounded(Super: ReturnType<typeof core>) {
  return class Bounded extends Super {
    nesting = 0;

    nest(): void {
      if (++this.nesting > MAX_NESTING) {
        throw new Failure(this.start, "The program is nested too deeply.", { kind: "limit", limit: "astDepth", hints: ["Put inner parts into variables or functions of their own."] });
      }
    }

    override parseStatement(context: string | null, topLevel?: boolean, exports?: object): AnyNode {
      this.nest();
      try {
        return super.parseStatement(context, topLevel, exports);
      } finally {
        this.nesting--;
      }
    }

    override parseMaybeAssign(forInit?: boolean | string, errors?: object | null, after?: unknown): AnyNode {
      this.nest();
      try {
        return super.parseMaybeAssign(forInit, errors, after);
      } finally {
        this.nesting--;
      }
    }

    override parseMaybeUnary(errors?: object | null, sawUnary?: boolean, incDec?: boolean, forInit?: boolean | string): AnyNode {
      this.nest();
      try {
        return super.parseMaybeUnary(errors, sawUnary, incDec, forInit);
      } finally {
        this.nesting--;
      }
    }

    override parseExprAtom(errors?: object | null, forInit?: boolean | string, forNew?: boolean): AnyNode {
      this.nest();
      try {
        return super.parseExprAtom(errors, forInit, forNew);
      } finally {
        this.nesting--;
      }
    }

    override parseBindingAtom(): AnyNode {
      this.nest();
      try {
        return super.parseBindingAtom();
      } finally {
        this.nesting--;
      }
    }

    /** Acorn calls itself for each operator of `a + b + c …`; this is the same as a loop. */
    override parseExprOp(left: AnyNode, startPos: number, startLoc: NodeStart, minPrec: number, forInit?: boolean | string): AnyNode {
      this.nest();
      try {
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
          const right = this.parseExprOp(this.parseMaybeUnary(null, false, false, forInit), this.start, this.startLoc, prec, forInit);
          left = this.buildBinary(startPos, startLoc, left, right, operator, logical || coalesce);
          if ((logical && this.type === tokens.coalesce) || (coalesce && (this.type === tokens.logicalOR || this.type === tokens.logicalAND))) {
            this.raiseRecoverable(this.start, "Logical expressions and coalesce expressions cannot be mixed. Wrap either by parentheses");
          }
        }
      } finally {
        this.nesting--;
      }
    }

    parseTypeOperator(_left: AnyNode, _startPos: number, _startLoc: NodeStart, _minPrec: number): AnyNode | undefined {
      return undefined;
    }

    /** `else if` in a loop. */
    override parseIfStatement(node: AnyNode): AnyNode {
      const chain = [node];
      for (let last = node; ; ) {
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

    override tsParseType(): AnyNode {
      this.nest();
      try {
        return super.tsParseType();
      } finally {
        this.nesting--;
      }
    }

    override tsParseTypeOperatorOrHigher(): AnyNode {
      this.nest();
      try {
        return super.tsParseTypeOperatorOrHigher();
      } finally {
        this.nesting--;
      }
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

type Extend = (parser: typeof Parser) => typeof Parser;

const JavaScriptParser = Parser.extend(core as unknown as Extend, bounded as unknown as Extend);

let TypeScriptParser: typeof Parser | undefined;

function typeScriptParser(): typeof Parser {
  TypeScriptParser ??= Parser.extend(core as unknown as Extend, tsPlugin(), bounded as unknown as Extend, typeScript as unknown as Extend);
  return TypeScriptParser;
}
