import type { ChannelCore } from './channel-core.ts';
import type { ChannelTable } from './channel-table.ts';
import { startBytes } from './credit.ts';
import type { SessionContext } from './session-context.ts';

/** What the channels of one session may receive: the credit given back, and the memory that it may fill. */
export class ReceiveFlowControl {
  readonly #context: SessionContext;
  readonly #table: ChannelTable;
  readonly #canShrink: boolean;
  /** Whether a window could not grow to its share because others have more than theirs. */
  #isBudgetTight = false;
  /** Data frames that may still be in flight for channels that are gone. */
  #strayFrames = 0;

  /** `canShrink`: whether a window may give less back than was taken, which a side that holds closings back would misread. */
  constructor(context: SessionContext, table: ChannelTable, canShrink: boolean) {
    this.#context = context;
    this.#table = table;
    this.#canShrink = canShrink;
  }

  /** Data in flight for a channel that is gone is no fault, but a stream of it is. */
  countStray(nowMs: number): void {
    if (this.#strayFrames > 0) this.#strayFrames -= 1;
    else this.#context.countControlFrame(nowMs);
  }

  /** A channel is gone for which the peer may have sent this many frames. */
  expectStray(frames: number): void {
    this.#strayFrames += frames;
  }

  /** Gives credit back when enough was taken. */
  topUp(core: ChannelCore, nowMs: number): void {
    const { limits, roundTrip } = this.#context;
    const window = core.receive;
    const beforeBytes = window.windowBytes;
    const grant = window.topUp(nowMs, {
      roundTripMs: roundTrip.smoothedMs,
      maxFrames: limits.maxWindowFrames,
      maxBytes: Math.min(limits.maxWindowBytes, beforeBytes + this.#freeBytes),
      shareBytes: this.#isBudgetTight ? this.#shareBytes : Infinity,
    });
    if (grant === undefined) return;
    this.#table.windowBytes += window.windowBytes - beforeBytes;
    if (window.windowBytes < beforeBytes) this.#isBudgetTight = false;
    if (window.isHeldDown && 2 * beforeBytes <= this.#shareBytes) this.#isBudgetTight = this.#canShrink;
    this.#context.send({
      kind: 'ChannelAdjust',
      receiverId: core.remoteId,
      frameCredit: grant.frames,
      byteCredit: grant.bytes,
    });
    this.#context.measure(nowMs);
  }

  /** What windows may still grow by, when each channel that could yet be opened shall find its first window. */
  get #freeBytes(): number {
    return this.#context.limits.receiveBudgetBytes - this.#table.windowBytes - this.#table.unopenedBytes;
  }

  /** What each open channel may have when all take the same. */
  get #shareBytes(): number {
    const { receiveBudgetBytes, maxWindowBytes } = this.#context.limits;
    const share = (receiveBudgetBytes - this.#table.unopenedBytes) / this.#table.openCount;
    return Math.max(startBytes, Math.min(maxWindowBytes, share));
  }
}
