import type { Log } from '../log.ts';

const everyMs = 10_000;
const aloneAfterMs = 3_000;

/** Says now and then how many of the fleet are connected, and why when nobody is; a device that comes and goes is no news. */
export class FleetStatus {
  readonly #devices: number;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  readonly #nowMs: () => number;
  #connected = 0;
  #most = 0;
  #saidMost = 0;
  #saidAtMs = -everyMs;
  #aloneSinceMs: number;
  #isAloneSaid = false;
  #reason: string | undefined;

  constructor(devices: number, log: Pick<Log, 'info' | 'warn'>, nowMs = () => performance.now()) {
    this.#devices = devices;
    this.#log = log;
    this.#nowMs = nowMs;
    this.#aloneSinceMs = nowMs();
  }

  /** Notes a new connection. */
  connected(): void {
    this.#connected += 1;
    if (this.#isAloneSaid) this.#most = this.#saidMost = 0;
    this.#isAloneSaid = false;
    this.#reason = undefined;
    this.#most = Math.max(this.#most, this.#connected);
  }

  /** Notes the end of a connection. */
  disconnected(): void {
    this.#connected -= 1;
    if (this.#connected === 0) this.#aloneSinceMs = this.#nowMs();
  }

  /** Notes why a device is not connected. */
  waits(reason: string): void {
    this.#reason ??= reason;
  }

  /** To be called about once a second. */
  tick(): void {
    const nowMs = this.#nowMs();
    if (this.#connected === 0) return this.#tellAlone(nowMs);
    if (this.#most === this.#saidMost || nowMs - this.#saidAtMs < everyMs) return;
    this.#saidMost = this.#most;
    this.#saidAtMs = nowMs;
    this.#log.info(`${this.#most} of ${this.#devices} simulated devices are connected`);
  }

  #tellAlone(nowMs: number): void {
    if (this.#isAloneSaid || this.#reason === undefined || nowMs - this.#aloneSinceMs < aloneAfterMs) return;
    this.#isAloneSaid = true;
    this.#log.warn(`no simulated device is connected because: ${this.#reason}`);
  }
}
