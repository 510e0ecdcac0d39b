import { setTimeout as delay } from 'node:timers/promises';
import { channelReasons } from '@corral/contract';
import { ChannelRejection } from '@corral/multiplex';

/** Longer than a device takes to connect to another hub when its own stops. */
const graceMs = 5_000;
/** Between attempts: hubs allow a command line some hundred refused requests a second, and many connections may wait. */
const [firstWaitMs, longestWaitMs] = [250, 1_000];
const reasons: readonly string[] = [
  channelReasons.deviceNotConnected,
  channelReasons.hubNotReady,
  channelReasons.hubUnreachable,
];

/** Lets connections wait while a device reconnects to another hub, instead of refusing them. When the device stays away longer, later connections are refused at once. */
export class ReconnectGrace {
  readonly #nowMs: () => number;
  #awaySinceMs: number | undefined;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** The device has been reached. */
  reached(): void {
    this.#awaySinceMs = undefined;
  }

  /** Waits for the next attempt after `attempts` refused ones. Rejected with the error when it says something else, or the device has been away for 5 s. */
  async wait(error: unknown, attempts: number): Promise<void> {
    if (!(error instanceof ChannelRejection) || !reasons.includes(error.message)) throw error;
    this.#awaySinceMs ??= this.#nowMs();
    if (this.#nowMs() - this.#awaySinceMs >= graceMs) throw error;
    await delay(Math.min(longestWaitMs, firstWaitMs * 2 ** attempts));
  }
}
