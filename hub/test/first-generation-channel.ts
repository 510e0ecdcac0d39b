import type { FirstGeneration } from './first-generation.ts';
import { frame, tags } from './first-generation-frames.ts';

/** Initial credit of a channel in each direction. The old clients assume this value. */
export const startFrames = 128;
/** Maximum payload of a data frame, in bytes. */
export const startBytes = 16_384;
const maxFrames = 1_024;
const maxBytes = 2 ** 30;
/** Below this credit the old clients wait for more. */
const leastCreditBytes = 512;

/** One channel as the old clients implement it: they drop unread data when the hub ends its direction. */
export class OldChannel {
  readonly #peer: FirstGeneration;
  remoteId = 0;
  /** Data received and not yet read. */
  unread: Buffer[] = [];
  /** Bytes dropped because of the defect. */
  droppedBytes = 0;
  isPeerDone = false;
  hasPeerStoppedReading = false;
  readonly #credit = { frames: startFrames, bytes: startBytes };
  readonly #window = { frames: startFrames, bytes: startBytes };
  readonly #left = { frames: startFrames, bytes: startBytes };
  #toppedUpAtMs = -Infinity;
  #changed = Promise.withResolvers<void>();

  constructor(peer: FirstGeneration) {
    this.#peer = peer;
  }

  /** The next payload, null at the end of the stream. */
  async read(): Promise<Buffer | null> {
    while (this.unread.length === 0 && !this.isPeerDone) await this.#changed.promise;
    const payload = this.unread.shift();
    if (payload === undefined) return null;
    this.#consumed(payload.length);
    return payload;
  }

  /** All bytes up to the end of the stream. */
  async readAll(between: () => Promise<void> | void = () => {}): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let part = await this.read(); part !== null; part = await this.read()) {
      parts.push(part);
      await between();
    }
    return Buffer.concat(parts);
  }

  /** Sends bytes as credit allows. Returns false when the hub stopped reading. */
  async write(bytes: Uint8Array): Promise<boolean> {
    for (let offset = 0; offset < bytes.length;) {
      while (
        !this.hasPeerStoppedReading &&
        (this.#credit.frames < 1 || this.#credit.bytes < leastCreditBytes)
      )
        await this.#changed.promise;
      if (this.hasPeerStoppedReading) return false;
      const payload = bytes.subarray(offset, offset + Math.min(8_192, this.#credit.bytes));
      this.#credit.frames -= 1;
      this.#credit.bytes -= payload.length;
      offset += payload.length;
      this.#peer.send(frame(tags.data, [this.remoteId], [], payload));
    }
    return true;
  }

  /** Ends the sending direction. */
  end(): void {
    this.#peer.send(frame(tags.closed, [this.remoteId]));
  }

  /** Stops reading. */
  stopReading(): void {
    this.#peer.send(frame(tags.close, [this.remoteId]));
  }

  received(payload: Buffer): void {
    this.unread.push(payload);
    this.#wake();
  }

  credited(frames: number, bytes: number): void {
    this.#credit.frames += frames;
    this.#credit.bytes += bytes;
    this.#wake();
  }

  peerDone(): void {
    this.isPeerDone = true;
    for (const { length } of this.unread) this.droppedBytes += length;
    this.unread = [];
    this.#wake();
  }

  peerStoppedReading(): void {
    this.hasPeerStoppedReading = true;
    this.#wake();
  }

  #wake(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }

  #consumed(bytes: number): void {
    const left = this.#left;
    const window = this.#window;
    left.frames -= 1;
    left.bytes -= bytes;
    const isFramesShort = left.frames * 2 < window.frames;
    const isBytesShort = left.bytes * 2 < window.bytes;
    if (!isFramesShort && !isBytesShort) return;
    const nowMs = performance.now();
    if (nowMs - this.#toppedUpAtMs < 2 * this.#peer.roundTripMs) {
      if (isFramesShort) window.frames = Math.min(2 * window.frames, maxFrames);
      if (isBytesShort) window.bytes = Math.min(2 * window.bytes, maxBytes);
    }
    this.#toppedUpAtMs = nowMs;
    const grant = [window.frames - left.frames, window.bytes - left.bytes];
    Object.assign(left, window);
    this.#peer.send(frame(tags.adjust, [this.remoteId], grant));
  }
}

/** Calls an action on an open channel and reads one answer of exactly its announced length. */
export async function callOn(
  channel: OldChannel,
  name: string,
  input: unknown,
): Promise<Record<string, unknown>> {
  const nameBytes = Buffer.from(name);
  const body = Buffer.from(typeof input === 'string' ? input : JSON.stringify(input));
  const head = Buffer.alloc(2);
  head.writeUInt16BE(nameBytes.length);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length);
  await channel.write(Buffer.concat([head, nameBytes, size, body]));
  let answer = Buffer.alloc(0);
  while (answer.length < 4 || answer.length < 4 + answer.readUInt32BE(0)) {
    const part = await channel.read();
    if (part === null) throw new Error('the channel ended without an answer');
    answer = Buffer.concat([answer, part]);
  }
  return decodeEnvelope(JSON.parse(answer.toString('utf8', 4)) as Record<string, unknown>);
}

/** The old decoder accepts exactly two keys and three kinds of errors. */
function decodeEnvelope(envelope: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(envelope).toSorted().join();
  const { kind, message } = (envelope['error'] ?? {}) as Record<string, unknown>;
  const isOk = envelope['result'] === 'Ok' && keys === 'result,value';
  const isError =
    envelope['result'] === 'Error' &&
    keys === 'error,result' &&
    ['Invalid', 'Forbidden', 'Internal'].includes(String(kind)) &&
    typeof message === 'string';
  if (!isOk && !isError) throw new Error(`malformed output: ${JSON.stringify(envelope)}`);
  return envelope;
}
