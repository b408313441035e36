// Media: bytes stay with the host, a program holds handles. Each run has its own quota; contents of ended runs stay while there is room.

import { randomUUID } from "node:crypto";
import type { Attachment, ContentBlock } from "@airlock/catalog";
import type { Json, Limits } from "@airlock/interpreter";
import { CallFailure } from "./failure.js";

/** A block that a handle stands for. */
export type MediaBlock = Extract<ContentBlock, { type: "image" | "audio" | "resource" }>;

interface Kept {
  block: MediaBlock;
  handle: Attachment;
}

/** All media of a runtime. */
export class MediaStore {
  private readonly kept = new Map<string, Kept>();
  /** Handles of ended runs, the oldest first: what may be dropped. */
  private readonly ended = new Map<string, number>();
  private endedBytes = 0;

  constructor(private readonly limits: Pick<Limits, "mediaBytes" | "mediaCount">) {}

  /** The quota and the handles of one run. */
  openRun(): MediaRun {
    return new MediaRun(this, this.limits);
  }

  content(id: string): MediaBlock | undefined {
    return this.kept.get(id)?.block;
  }

  /** The handle's content if `value` is a handle as this store gave it; "gone" if it was one; undefined if it is something else. */
  resolve(value: Json): Kept | "gone" | undefined {
    if (!isHandle(value)) return undefined;
    const kept = this.kept.get(value.media);
    return kept !== undefined && kept.handle.mimeType === value.mimeType && kept.handle.bytes === value.bytes ? kept : "gone";
  }

  keep(handle: Attachment, block: MediaBlock): void {
    this.kept.set(handle.media, { block, handle });
  }

  /** Handles of an ended run may be dropped, the oldest first, once they pass the limits of a run. */
  release(handles: readonly Attachment[]): void {
    for (const { media, bytes } of handles) {
      this.ended.set(media, bytes);
      this.endedBytes += bytes;
    }
    for (const [media, bytes] of this.ended) {
      if (this.ended.size <= this.limits.mediaCount && this.endedBytes <= this.limits.mediaBytes) break;
      this.ended.delete(media);
      this.kept.delete(media);
      this.endedBytes -= bytes;
    }
  }
}

/** What one run keeps. */
export class MediaRun {
  private readonly handles: Attachment[] = [];
  private bytes = 0;

  constructor(
    private readonly store: MediaStore,
    private readonly limits: Pick<Limits, "mediaBytes" | "mediaCount">,
  ) {}

  /** @throws CallFailure of kind "limit" if the run has no room for it. */
  keep(block: MediaBlock): Attachment {
    const { mimeType, bytes } = describe(block);
    if (this.handles.length + 1 > this.limits.mediaCount) throw full("mediaCount", `gave more than ${this.limits.mediaCount} media`);
    if (this.bytes + bytes > this.limits.mediaBytes)
      throw full("mediaBytes", `gave media of ${bytes} bytes, over the ${this.limits.mediaBytes} that a run may keep`);
    const handle: Attachment = { media: `media_${randomUUID()}`, mimeType, bytes };
    this.bytes += bytes;
    this.handles.push(handle);
    this.store.keep(handle, block);
    return handle;
  }

  keepBytes(bytes: Uint8Array): Attachment {
    const block: MediaBlock = {
      type: "resource",
      resource: {
        uri: "data:",
        mimeType: "application/octet-stream",
        blob: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
      },
    };
    return this.keep(block);
  }

  end(): void {
    this.store.release(this.handles);
  }
}

function isHandle(value: Json): value is { media: string; mimeType: string; bytes: number } {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  return (
    Object.keys(value).length === 3 &&
    typeof value.media === "string" &&
    typeof value.mimeType === "string" &&
    typeof value.bytes === "number"
  );
}

function full(limit: "mediaBytes" | "mediaCount", message: string): CallFailure {
  return new CallFailure("limit", message, { limit });
}

function describe(block: MediaBlock): { mimeType: string; bytes: number } {
  if (block.type !== "resource") return { mimeType: block.mimeType, bytes: base64Bytes(block.data) };
  const { mimeType, blob, text } = block.resource;
  return {
    mimeType: mimeType ?? "application/octet-stream",
    bytes: blob === undefined ? Buffer.byteLength(text ?? "") : base64Bytes(blob),
  };
}

function base64Bytes(data: string): number {
  return Buffer.byteLength(data, "base64");
}
