import type { Log } from '../log.ts';

const logIntervalMs = 10_000;
const reportOfflineAfterMs = 3_000;

/** Logs how many devices of the fleet are connected as the number grows, and why when none is; single reconnects are not logged. */
export class FleetStatus {
  readonly #devices: number;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  readonly #nowMs: () => number;
  #connected = 0;
  #maxConnected = 0;
  #loggedMax = 0;
  #loggedAtMs = -logIntervalMs;
  #offlineSinceMs: number;
  #hasLoggedOffline = false;
  #reason: string | undefined;

  constructor(devices: number, log: Pick<Log, 'info' | 'warn'>, nowMs = () => performance.now()) {
    this.#devices = devices;
    this.#log = log;
    this.#nowMs = nowMs;
    this.#offlineSinceMs = nowMs();
  }

  /** Counts a new connection. */
  connected(): void {
    this.#connected += 1;
    if (this.#hasLoggedOffline) this.#maxConnected = this.#loggedMax = 0;
    this.#hasLoggedOffline = false;
    this.#reason = undefined;
    this.#maxConnected = Math.max(this.#maxConnected, this.#connected);
  }

  /** Counts the end of a connection. */
  disconnected(): void {
    this.#connected -= 1;
    if (this.#connected === 0) this.#offlineSinceMs = this.#nowMs();
  }

  /** Records why a device is not connected. */
  waiting(reason: string): void {
    this.#reason ??= reason;
  }

  /** Call it about once a second. */
  tick(): void {
    const nowMs = this.#nowMs();
    if (this.#connected === 0) return this.#logOffline(nowMs);
    if (this.#maxConnected === this.#loggedMax || nowMs - this.#loggedAtMs < logIntervalMs) return;
    this.#loggedMax = this.#maxConnected;
    this.#loggedAtMs = nowMs;
    this.#log.info(`${this.#maxConnected} of ${this.#devices} simulated devices are connected`);
  }

  #logOffline(nowMs: number): void {
    if (
      this.#hasLoggedOffline ||
      this.#reason === undefined ||
      nowMs - this.#offlineSinceMs < reportOfflineAfterMs
    )
      return;
    this.#hasLoggedOffline = true;
    this.#log.warn(`no simulated device is connected because: ${this.#reason}`);
  }
}
