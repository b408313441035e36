// The least of a tracer provider and a context manager, to see the spans.

import { AsyncLocalStorage } from "node:async_hooks";
import {
  ROOT_CONTEXT,
  trace,
  type Attributes,
  type Context,
  type ContextManager,
  type Span,
  type SpanStatus,
  type TracerProvider,
} from "@opentelemetry/api";

export interface SeenSpan {
  name: string;
  attributes: Attributes;
  status?: SpanStatus;
  ended: boolean;
}

export function spansOf(): SeenSpan[] {
  const spans: SeenSpan[] = [];
  const startSpan = (name: string, options: { attributes?: Attributes } = {}): Span => {
    const seen: SeenSpan = { name, attributes: { ...options.attributes }, ended: false };
    spans.push(seen);
    return Object.assign(seen, {
      setStatus: (status: SpanStatus) => void (seen.status = status),
      end: () => void (seen.ended = true),
      spanContext: () => ({ traceId: "1".repeat(32), spanId: "1".repeat(16), traceFlags: 1 }),
    }) as unknown as Span;
  };
  const provider = { getTracer: () => ({ startSpan, startActiveSpan: () => undefined }) } as unknown as TracerProvider;
  trace.setGlobalTracerProvider(provider);
  return spans;
}

export class AsyncLocalStorageContextManager implements ContextManager {
  private readonly storage = new AsyncLocalStorage<Context>();
  active(): Context {
    return this.storage.getStore() ?? ROOT_CONTEXT;
  }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.storage.run(context, () => fn.call(thisArg as never, ...args));
  }
  bind<T>(_: Context, target: T): T {
    return target;
  }
  enable(): this {
    return this;
  }
  disable(): this {
    return this;
  }
}
