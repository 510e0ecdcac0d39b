import type { SendWindow } from './credit.ts';

const minDelayMs = 200;
/** Data sent within this time is tracked as one entry. */
const markResolutionMs = 10;
const maxMarks = 256;

/** Tracks what the peer has acknowledged, to know when ChannelClosed may go to one that drops unread data. */
export class AckTracker {
  #windowFrames: number;
  #windowBytes: number;
  #sentBytes = 0;
  #ackedBytes = 0;
  #lastSentAtMs = 0;
  #halfAckedAtMs = 0;
  #creditDelayMs = 0;
  #marks: { sentBytes: number; atMs: number }[] = [];

  /** Starts with the window that the peer announced. */
  constructor(window: SendWindow) {
    this.#windowFrames = window.frames;
    this.#windowBytes = window.bytes;
  }

  /** Whether any data was sent that the peer could drop. */
  get hasSent(): boolean {
    return this.#sentBytes > 0;
  }

  /** Notes that a payload was sent. */
  sent(payloadBytes: number, nowMs: number): void {
    this.#sentBytes += payloadBytes;
    this.#lastSentAtMs = nowMs;
    const last = this.#marks.at(-1);
    if (last !== undefined && (nowMs - last.atMs < markResolutionMs || this.#marks.length >= maxMarks)) {
      last.sentBytes = this.#sentBytes;
    } else {
      this.#marks.push({ sentBytes: this.#sentBytes, atMs: nowMs });
    }
  }

  /** Notes a credit; `window` is the state after it. */
  credited(frames: number, bytes: number, window: SendWindow, nowMs: number): void {
    // A credit returns at most one window; a larger one means that the window has doubled.
    if (frames > this.#windowFrames) this.#windowFrames *= 2;
    const isGrown = bytes > this.#windowBytes;
    this.#ackedBytes += isGrown ? bytes - this.#windowBytes : bytes;
    if (isGrown) this.#windowBytes *= 2;
    this.#measure(nowMs);
    if (this.#isHalfAcked(window)) this.#halfAckedAtMs = nowMs;
  }

  /** When ChannelClosed may be sent, in the clock's milliseconds; Infinity while too much is unacknowledged. */
  dueAtMs(window: SendWindow, roundTripMs: number): number {
    if (!this.#isHalfAcked(window)) return Infinity;
    const since = Math.max(this.#lastSentAtMs, this.#halfAckedAtMs);
    return since + Math.max(minDelayMs, 2 * roundTripMs, this.#creditDelayMs);
  }

  /** Peers credit nothing before half of the window is consumed, so a larger rest never becomes known. */
  #isHalfAcked(window: SendWindow): boolean {
    return window.bytes * 2 >= this.#windowBytes && window.frames * 2 >= this.#windowFrames;
  }

  #measure(nowMs: number): void {
    const index = this.#marks.findIndex((mark) => mark.sentBytes >= this.#ackedBytes);
    const mark = this.#marks[index];
    if (mark === undefined) return;
    this.#creditDelayMs = nowMs - mark.atMs;
    this.#marks.splice(0, mark.sentBytes === this.#ackedBytes ? index + 1 : index);
  }
}
