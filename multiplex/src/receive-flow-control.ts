import type { ChannelCore } from './channel-core.ts';
import type { ChannelTable } from './channel-table.ts';
import { startBytes } from './credit.ts';
import type { SessionContext } from './session-context.ts';

/** Returns credit for consumed data, and keeps all receive windows of a session within its memory budget. */
export class ReceiveFlowControl {
  readonly #context: SessionContext;
  readonly #table: ChannelTable;
  readonly #canShrink: boolean;
  /** Whether a window could not grow to its equal share because others exceed theirs. */
  #isBudgetTight = false;
  /** Data frames that may still be in flight for channels that are gone. */
  #strayFrames = 0;

  /** `canShrink`: whether a credit may be smaller than the data consumed; a peer that delays ChannelClosed would misread it. */
  constructor(context: SessionContext, table: ChannelTable, canShrink: boolean) {
    this.#context = context;
    this.#table = table;
    this.#canShrink = canShrink;
  }

  /** Counts data for a channel that is gone: free as far as it may have been in flight, then a control frame. */
  countStray(nowMs: number): void {
    if (this.#strayFrames > 0) this.#strayFrames -= 1;
    else this.#context.countControlFrame(nowMs);
  }

  /** A channel was removed for which this many data frames may still be in flight. */
  expectStray(frames: number): void {
    this.#strayFrames += frames;
  }

  /** Sends a credit once more than half of a window was consumed. */
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
    if (window.isLimited && 2 * beforeBytes <= this.#shareBytes) this.#isBudgetTight = this.#canShrink;
    this.#context.send({
      kind: 'ChannelAdjust',
      receiverId: core.remoteId,
      frameCredit: grant.frames,
      byteCredit: grant.bytes,
    });
    this.#context.measure(nowMs);
  }

  /** How far windows may still grow: the budget less all windows and one initial window for each channel that can still be opened. */
  get #freeBytes(): number {
    return this.#context.limits.receiveBudgetBytes - this.#table.windowBytes - this.#table.reservedBytes;
  }

  /** The equal share of each open channel. */
  get #shareBytes(): number {
    const { receiveBudgetBytes, maxWindowBytes } = this.#context.limits;
    const share = (receiveBudgetBytes - this.#table.reservedBytes) / this.#table.openCount;
    return Math.max(startBytes, Math.min(maxWindowBytes, share));
  }
}
