import type { Channel } from '@corral/multiplex';
import { AnswerWatch } from './answer-watch.ts';
import { ProxyFailure } from './ProxyFailure.ts';

type Read = ReturnType<Channel['read']>;

/**
 * A stream to a port of a device, which serves one request or several in turn. What is not read is not asked for, and what is written
 * waits for the device's credit. Once the device reads no more, what is written is dropped: its answer may still come.
 */
export class DeviceStream {
  readonly #channel: Channel;
  readonly #nowMs: () => number;
  readonly #onOver: () => void;
  /** What is read while nobody asks for it. */
  #early: Read | undefined;
  #failure: ProxyFailure | undefined;
  #isOver = false;
  #takesNoMore = false;
  #waitingWrites = 0;
  /** Cuts the stream when an answer does not come. */
  readonly watch: AnswerWatch;
  /** Whether the device has said or ended anything while the stream rested. */
  hasStirred = false;
  /** When the device last took bytes, by the clock passed in. */
  lastSentAtMs: number;
  /** How many bytes the device has sent. */
  heardBytes = 0;

  /** `onOver` is told once, when the stream serves nobody any more. */
  constructor(channel: Channel, nowMs: () => number, onOver: () => void) {
    this.#channel = channel;
    this.#nowMs = nowMs;
    this.#onOver = onOver;
    this.lastSentAtMs = nowMs();
    this.watch = new AnswerWatch(nowMs, (failure) => this.cut(failure));
  }

  /** Whether all that was written went out, and more could. */
  get isIdle(): boolean {
    return !this.#isOver && !this.#takesNoMore && this.#waitingWrites === 0;
  }

  /** Whether something that was written still waits for the device. */
  get hasUnsent(): boolean {
    return this.#waitingWrites > 0;
  }

  /** A request begins: its time counts from here. */
  begin(): void {
    this.lastSentAtMs = this.#nowMs();
  }

  /** The next bytes, at least one; null where the device has ended the stream in good order. Rejected with a ProxyFailure. */
  read(): Promise<Buffer | null> {
    const reading = this.#early ?? this.#channel.read();
    this.#early = undefined;
    return reading.then((bytes) => this.#hear(bytes));
  }

  /** Fulfilled when the device has taken the bytes, or will take no more; never rejected. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.#isOver || this.#takesNoMore) return Promise.resolve();
    this.#waitingWrites += 1;
    return this.#channel.write(bytes).then(
      () => {
        this.#waitingWrites -= 1;
        this.lastSentAtMs = this.#nowMs();
      },
      () => {
        this.#waitingWrites -= 1;
        this.#takesNoMore = true;
      },
    );
  }

  /** Nothing more is written. */
  endWriting(): void {
    this.#channel.end();
  }

  /** Nobody asks for anything; `onStir` is told when the device says or ends something all the same. */
  rest(onStir: () => void): void {
    const reading = this.#channel.read();
    this.#early = reading;
    void reading.then(() => {
      if (this.#early !== reading) return;
      this.hasStirred = true;
      onStir();
    });
  }

  /** Ends the stream in good order. */
  end(): void {
    if (this.#isOver) return;
    this.#channel.end();
    this.#channel.stopReading();
    this.#finish();
  }

  /** Breaks the stream off; whoever reads is told why. */
  cut(failure: ProxyFailure): void {
    if (this.#isOver) return;
    this.#failure = failure;
    this.#channel.abort();
    this.#finish();
  }

  #hear(bytes: Uint8Array | null): Buffer | null {
    if (this.#failure !== undefined) throw this.#failure;
    if (bytes !== null) {
      this.heardBytes += bytes.length;
      return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    if (this.#channel.breakage !== undefined) throw new ProxyFailure('broken');
    return null;
  }

  #finish(): void {
    this.#isOver = true;
    this.watch.stop();
    this.#onOver();
  }
}
