import { recordingMarks } from '@corral/contract';
import type { Size } from './terminal-frames.ts';

/** What a recording has at a time, as it is stored: `u8 kind · u48 microseconds · u32 length · body`. */
const kinds = { output: 0, resize: 1, mark: 2 } as const;
/** Of what. */
export type MomentKind = keyof typeof kinds;

const headBytes = 11;
/** The longest part of a recording, before it is compressed. */
export const maxPartBytes = 262_144;
const noBytes = new Uint8Array();

/** The next part of a recording. */
export class Part {
  readonly #bytes = Buffer.allocUnsafe(maxPartBytes);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Adds as much of a body as fits, and says how many bytes that are; undefined where not even one does. */
  add(kind: MomentKind, atMs: number, body: Uint8Array): number | undefined {
    const taken = Math.min(body.length, maxPartBytes - this.#length - headBytes);
    if (taken < 1) return undefined;
    this.#bytes[this.#length] = kinds[kind];
    this.#bytes.writeUIntBE(Math.max(0, Math.round(atMs * 1000)), this.#length + 1, 6);
    this.#bytes.writeUInt32BE(taken, this.#length + 7);
    this.#bytes.set(body.subarray(0, taken), this.#length + headBytes);
    this.#length += headBytes + taken;
    return taken;
  }
}

/** Turns the parts of a recording, in their order, into asciicast v2. */
export class Asciicast {
  readonly #startedAt: Date;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #size: string | undefined;
  #hasHead = false;
  #secs = 0;

  constructor(startedAt: Date) {
    this.#startedAt = startedAt;
  }

  /** The lines of a part. */
  linesOf(part: Buffer): string {
    let lines = '';
    for (let at = 0; at < part.length;) {
      const kind = part[at];
      this.#secs = part.readUIntBE(at + 1, 6) / 1_000_000;
      const end = at + headBytes + part.readUInt32BE(at + 7);
      const body = part.subarray(at + headBytes, end);
      if (kind === kinds.output) lines += this.#output(body, true);
      else lines += kind === kinds.resize ? this.#resize(body.toString()) : this.#mark(body.toString());
      at = end;
    }
    return lines;
  }

  /** The lines after the last part. */
  end(isIntact: boolean): string {
    const rest = this.#output(noBytes, false);
    return isIntact ? rest : `${rest}${this.#mark(recordingMarks.broken)}`;
  }

  #output(bytes: Uint8Array, isMore: boolean): string {
    const text = this.#decoder.decode(bytes, { stream: isMore });
    return text === '' ? '' : this.#line('o', text);
  }

  #resize(size: string): string {
    if (this.#hasHead) return this.#line('r', size);
    this.#size = size;
    return '';
  }

  #mark(text: string): string {
    return this.#line('m', text);
  }

  #line(kind: 'o' | 'r' | 'm', text: string): string {
    const line = `${JSON.stringify([this.#secs, kind, text])}\n`;
    if (this.#hasHead) return line;
    this.#hasHead = true;
    const [width, height] = (this.#size ?? '80x24').split('x').map(Number);
    const timestamp = Math.floor(this.#startedAt.getTime() / 1000);
    return `${JSON.stringify({ version: 2, width, height, timestamp })}\n${line}`;
  }
}

/** How a size is stored. */
export function sizeText({ cols, rows }: Size): Buffer {
  return Buffer.from(`${cols}x${rows}`);
}
