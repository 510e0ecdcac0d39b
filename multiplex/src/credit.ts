import { ProtocolViolation } from './errors.ts';

/** Initial credit of a channel in either direction; peers of the first generation assume exactly this. */
export const startFrames = 128;
/** Initial credit of a channel in either direction, in payload bytes. */
export const startBytes = 16_384;

const maxCredit = 0xffff_ffff;

/** A credit given back to the sender, in frames and in payload bytes. */
export interface Grant {
  readonly frames: number;
  readonly bytes: number;
}

/** A credit returns sent data when it covers at least one unreturned frame, or this many unreturned bytes. */
const minReturnedBytes = 1_024;

/** What may still be sent on one channel. */
export class SendWindow {
  frames: number;
  bytes: number;
  /** Data frames sent and not credited back yet. */
  unreturnedFrames = 0;
  #unreturnedBytes = 0;

  constructor(frames: number, bytes: number) {
    this.frames = frames;
    this.bytes = bytes;
  }

  /** Longest payload that the next frame may carry, in bytes; 0 while there is no credit. */
  get available(): number {
    return this.frames > 0 ? this.bytes : 0;
  }

  /** Spends the credit for one frame; throws RangeError when there is none, which is a bug of the caller. */
  spend(payloadBytes: number): void {
    if (this.frames < 1 || this.bytes < payloadBytes) throw new RangeError('sending without credit');
    this.frames -= 1;
    this.bytes -= payloadBytes;
    this.unreturnedFrames += 1;
    this.#unreturnedBytes += payloadBytes;
  }

  /** Whether a credit gives back something that was sent; each unit counts once. */
  settle(frames: number, bytes: number): boolean {
    const returnedFrames = Math.min(frames, this.unreturnedFrames);
    const returnedBytes = Math.min(bytes, this.#unreturnedBytes);
    this.unreturnedFrames -= returnedFrames;
    this.#unreturnedBytes -= returnedBytes;
    return returnedFrames >= 1 || returnedBytes >= minReturnedBytes;
  }

  /** Adds a credit of the receiver; throws ProtocolViolation when the sum exceeds 32 bits. */
  add(frames: number, bytes: number): void {
    if (this.frames + frames > maxCredit || this.bytes + bytes > maxCredit) {
      throw new ProtocolViolation('credit overflow');
    }
    this.frames += frames;
    this.bytes += bytes;
  }
}

/** How far a receive window may grow at this moment. */
export interface Growth {
  /** Smoothed round trip; while it is undefined nothing grows. */
  readonly roundTripMs: number | undefined;
  readonly maxFrames: number;
  readonly maxBytes: number;
  /** A larger window halves instead of growing; Infinity while the budget suffices for all. */
  readonly shareBytes: number;
}

/** What the peer may still send on one channel, and what of it is buffered here. */
export class ReceiveWindow {
  windowFrames = startFrames;
  windowBytes = startBytes;
  leftFrames = startFrames;
  leftBytes = startBytes;
  queuedFrames = 0;
  queuedBytes = 0;
  /** Whether the memory budget kept the window from growing at the last credit. */
  isLimited = false;
  #toppedUpAtMs: number | undefined;

  /** A frame with this payload begins; throws ProtocolViolation when the peer had no credit for it. */
  begin(payloadBytes: number): void {
    if (this.leftFrames < 1 || this.leftBytes < payloadBytes)
      throw new ProtocolViolation('data without credit');
    this.leftFrames -= 1;
  }

  /** Receives the next part of the frame, which is buffered like a frame of its own. */
  receive(partBytes: number): void {
    this.leftBytes -= partBytes;
    this.queuedFrames += 1;
    this.queuedBytes += partBytes;
  }

  /** The application consumed frames that were received before. */
  consume(frames: number, bytes: number): void {
    this.queuedFrames -= frames;
    this.queuedBytes -= bytes;
  }

  /**
   * The credit to return once more than half of a window was consumed; undefined before. Buffered data returns no
   * credit, so never more than one window is buffered.
   */
  topUp(nowMs: number, growth: Growth): Grant | undefined {
    const isFramesShort = this.#consumedFrames * 2 > this.windowFrames;
    const isBytesShort = this.#consumedBytes * 2 > this.windowBytes;
    if (!isFramesShort && !isBytesShort) return undefined;
    const isFast = this.#isFast(nowMs, growth.roundTripMs);
    if (isFast && isFramesShort) this.windowFrames = doubled(this.windowFrames, growth.maxFrames);
    this.isLimited = isBytesShort && !this.#resize(growth, isFast);
    this.#toppedUpAtMs = nowMs;
    return this.#grant();
  }

  /** Halves a window above its share, or doubles one that runs short; false when it should double and cannot. */
  #resize({ maxBytes, shareBytes }: Growth, isFast: boolean): boolean {
    // More than half was consumed, so the rest fits into half a window.
    if (this.windowBytes > shareBytes) this.windowBytes /= 2;
    else if (isFast && this.windowBytes * 2 > maxBytes) return false;
    else if (isFast) this.windowBytes *= 2;
    return true;
  }

  get #consumedFrames(): number {
    return this.windowFrames - this.leftFrames - this.queuedFrames;
  }

  get #consumedBytes(): number {
    return this.windowBytes - this.leftBytes - this.queuedBytes;
  }

  #isFast(nowMs: number, roundTripMs: number | undefined): boolean {
    if (roundTripMs === undefined || this.#toppedUpAtMs === undefined) return false;
    return nowMs - this.#toppedUpAtMs < 2 * roundTripMs;
  }

  /** One frame may be buffered in several parts. */
  #grant(): Grant {
    const grant = { frames: Math.max(0, this.#consumedFrames), bytes: this.#consumedBytes };
    this.leftFrames += grant.frames;
    this.leftBytes += grant.bytes;
    return grant;
  }
}

function doubled(window: number, max: number): number {
  return window * 2 <= max ? window * 2 : window;
}
