import { Duplex } from 'node:stream';
import type { Channel } from '@corral/multiplex';

const bufferBytes = 65_536;

/**
 * A channel as a stream of Node: what is not read is not asked for, and what is written waits for the device's credit. It fails when the
 * device's stream breaks off. Once the device reads no more, what is written is dropped: its answer may still come.
 */
export class ChannelDuplex extends Duplex {
  readonly #channel: Channel;
  readonly #nowMs: () => number;
  #isReading = false;
  #takesNoMore = false;
  /** When the device last took bytes, by the clock passed in. */
  lastSentAtMs: number;
  /** How many bytes the device has sent. */
  receivedBytes = 0;
  #isAnswered = false;

  constructor(channel: Channel, nowMs: () => number) {
    super({ readableHighWaterMark: bufferBytes, writableHighWaterMark: bufferBytes });
    this.#channel = channel;
    this.#nowMs = nowMs;
    this.lastSentAtMs = nowMs();
    // Told by Node's client behind an answer that was whole and lets the connection go on.
    this.on('free', () => (this.#isAnswered = true));
    // Whoever uses the stream hears of its end by itself; nobody does while it rests.
    this.on('error', () => undefined);
  }

  /** Whether a request was answered in full on it, and the next one may follow. */
  get isFree(): boolean {
    return this.#isAnswered && !this.destroyed && !this.readableEnded && !this.writableEnded;
  }

  /** A request begins. */
  begin(): void {
    this.#isAnswered = false;
    this.lastSentAtMs = this.#nowMs();
  }

  override _read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#channel.read().then(
      (bytes) => {
        this.#isReading = false;
        this.#take(bytes);
      },
      (error: Error) => this.destroy(error),
    );
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#takesNoMore) return done();
    this.#channel
      .write(bytes)
      .then(
        () => void (this.lastSentAtMs = this.#nowMs()),
        () => void (this.#takesNoMore = true),
      )
      .finally(done);
  }

  override _final(done: () => void): void {
    this.#channel.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (error !== null || !this.readableEnded || !this.writableFinished) this.#channel.abort();
    done(error);
  }

  #take(bytes: Uint8Array | null): void {
    if (this.destroyed) return;
    if (bytes !== null) {
      this.receivedBytes += bytes.length;
      this.push(bytes);
    } else if (this.#channel.breakage === undefined) this.push(null);
    else this.destroy(new Error(`the device's stream broke off: ${this.#channel.breakage}`));
  }
}
