import type { SendWindow } from './credit.ts';

const leastHoldMs = 200;
/** Sends closer together than this share a mark: the measure needs no more. */
const markGrainMs = 10;
const maxMarks = 256;

/**
 * Follows what a slow reader has acknowledged of one channel, to know when the end of the stream may be announced to
 * a peer that forgets unread data on ChannelClosed.
 */
export class AckTracker {
  #windowFrames: number;
  #windowBytes: number;
  #sentBytes = 0;
  #ackedBytes = 0;
  #lastSentAtMs = 0;
  #halfReachedAtMs = 0;
  #creditTookMs = 0;
  #marks: { sentBytes: number; atMs: number }[] = [];

  /** Starts with the window that the peer announced. */
  constructor(window: SendWindow) {
    this.#windowFrames = window.frames;
    this.#windowBytes = window.bytes;
  }

  /** Whether there is anything that the peer could lose. */
  get hasSent(): boolean {
    return this.#sentBytes > 0;
  }

  /** Notes that a payload was sent. */
  sent(payloadBytes: number, nowMs: number): void {
    this.#sentBytes += payloadBytes;
    this.#lastSentAtMs = nowMs;
    const last = this.#marks.at(-1);
    if (last !== undefined && (nowMs - last.atMs < markGrainMs || this.#marks.length >= maxMarks)) {
      last.sentBytes = this.#sentBytes;
    } else {
      this.#marks.push({ sentBytes: this.#sentBytes, atMs: nowMs });
    }
  }

  /** Notes a credit, `window` being the state after it. */
  credited(frames: number, bytes: number, window: SendWindow, nowMs: number): void {
    // A top-up gives back at most one window; whatever is more is growth, which doubles.
    if (frames > this.#windowFrames) this.#windowFrames *= 2;
    const isGrown = bytes > this.#windowBytes;
    this.#ackedBytes += isGrown ? bytes - this.#windowBytes : bytes;
    if (isGrown) this.#windowBytes *= 2;
    this.#measure(nowMs);
    if (this.#isHalfLeft(window)) this.#halfReachedAtMs = nowMs;
  }

  /** When ChannelClosed may be sent, in the clock's milliseconds; Infinity while too much is unacknowledged. */
  dueAtMs(window: SendWindow, roundTripMs: number): number {
    if (!this.#isHalfLeft(window)) return Infinity;
    const since = Math.max(this.#lastSentAtMs, this.#halfReachedAtMs);
    return since + Math.max(leastHoldMs, 2 * roundTripMs, this.#creditTookMs);
  }

  /** Less than half is never credited, so nothing better can be waited for. */
  #isHalfLeft(window: SendWindow): boolean {
    return window.bytes * 2 >= this.#windowBytes && window.frames * 2 >= this.#windowFrames;
  }

  #measure(nowMs: number): void {
    const index = this.#marks.findIndex((mark) => mark.sentBytes >= this.#ackedBytes);
    const mark = this.#marks[index];
    if (mark === undefined) return;
    this.#creditTookMs = nowMs - mark.atMs;
    this.#marks.splice(0, mark.sentBytes === this.#ackedBytes ? index + 1 : index);
  }
}
