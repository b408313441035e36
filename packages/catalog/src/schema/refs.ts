// Where a `$ref` points. Only into the same document: no file and no address is ever followed.

/** A part of a document with a base of its own: the whole, or a subschema with `$id`. */
export interface Resource {
  root: unknown;
  /** Absolute if it can be; "" if the resource has no name. */
  id: string;
}

export interface Target {
  schema: unknown;
  /** The resource in which the target stands, for the references inside it. */
  resource: Resource;
  /** The last name of the reference. */
  name: string;
}

const MAX_SCANNED = 20_000;

/** Resolves the references of one document. */
export class References {
  readonly whole: Resource;
  readonly #anchors = new Map<string, Target>();
  #scanned = false;

  constructor(root: unknown) {
    this.whole = { root, id: identifierOf(root) ?? "" };
  }

  /** The resource inside which a subschema stands: a new one if it has an `$id`. */
  enter(schema: unknown, resource: Resource): Resource {
    if (schema === resource.root) return resource;
    const id = identifierOf(schema);
    return id === undefined ? resource : { root: schema, id: absolute(id, resource.id) };
  }

  /** Undefined if the reference points outside of the document or to nothing. */
  resolve(ref: string, from: Resource): Target | undefined {
    const hash = ref.indexOf("#");
    const document = hash < 0 ? ref : ref.slice(0, hash);
    const fragment = hash < 0 ? "" : decode(ref.slice(hash + 1));
    if (fragment === undefined) return undefined;
    const resource = document === "" ? from : this.#resource(absolute(document, from.id));
    if (resource === undefined) return undefined;
    if (fragment === "") return { schema: resource.root, resource, name: "" };
    if (fragment.startsWith("/")) return this.#pointer(fragment, resource);
    this.#scan();
    return this.#anchors.get(`${resource.id}#${fragment}`);
  }

  #resource(id: string): Resource | undefined {
    if (id === this.whole.id) return this.whole;
    this.#scan();
    return this.#anchors.get(id)?.resource;
  }

  #pointer(pointer: string, from: Resource): Target | undefined {
    let schema = from.root;
    let resource = from;
    let name = "";
    for (const part of pointer.slice(1).split("/")) {
      name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, name)) return undefined;
      schema = Reflect.get(schema, name);
      resource = this.enter(schema, resource);
    }
    return { schema, resource, name };
  }

  /** Finds the names that subschemas give themselves: `$id`, `$anchor`, and `$id: "#name"` of draft-07. */
  #scan(): void {
    if (this.#scanned) return;
    this.#scanned = true;
    const seen = new Set<unknown>();
    const waiting: { value: unknown; resource: Resource }[] = [{ value: this.whole.root, resource: this.whole }];
    for (let next = waiting.pop(); next !== undefined && seen.size < MAX_SCANNED; next = waiting.pop()) {
      const { value } = next;
      if (typeof value !== "object" || value === null || seen.has(value)) continue;
      seen.add(value);
      const resource = this.enter(value, next.resource);
      if (resource !== next.resource && !this.#anchors.has(resource.id))
        this.#anchors.set(resource.id, { schema: value, resource, name: "" });
      for (const anchor of anchorsOf(value)) {
        const key = `${resource.id}#${anchor}`;
        if (!this.#anchors.has(key)) this.#anchors.set(key, { schema: value, resource, name: anchor });
      }
      for (const inner of Object.values(value)) waiting.push({ value: inner, resource });
    }
  }
}

function identifierOf(schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, "$id")) return undefined;
  const id: unknown = Reflect.get(schema, "$id");
  return typeof id === "string" && id !== "" && !id.startsWith("#") ? id.replace(/#$/, "") : undefined;
}

function anchorsOf(schema: object): string[] {
  const found: string[] = [];
  for (const keyword of ["$anchor", "$dynamicAnchor", "$id"]) {
    const value: unknown = Object.hasOwn(schema, keyword) ? Reflect.get(schema, keyword) : undefined;
    if (typeof value !== "string") continue;
    if (keyword !== "$id") found.push(value);
    else if (value.startsWith("#")) found.push(value.slice(1));
  }
  return found;
}

/** Only text is joined here: nothing is loaded. */
function absolute(id: string, base: string): string {
  try {
    return new URL(id, base === "" ? undefined : base).href;
  } catch {
    return id;
  }
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
