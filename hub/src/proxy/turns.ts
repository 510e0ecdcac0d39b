import type { ProxyLimits } from './limits.ts';
import { ProxyFailure } from './ProxyFailure.ts';

interface Line {
  running: number;
  readonly waiting: Set<() => void>;
}

type TurnLimits = Pick<ProxyLimits, 'perDevice' | 'waitingPerDevice' | 'waitMs'>;

/** Lets a few requests a device through at a time; the others wait in line for a while. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #lines = new Map<string, Line>();

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Waits for a turn and answers how to give it back. Rejected with a ProxyFailure when the line is too long, or with the signal's reason. */
  async take(deviceId: string, signal: AbortSignal): Promise<() => void> {
    const line = this.#lines.get(deviceId) ?? { running: 0, waiting: new Set() };
    this.#lines.set(deviceId, line);
    if (line.running < this.#limits.perDevice) line.running += 1;
    else await this.#wait(line, signal);
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      this.#giveBack(deviceId, line);
    };
  }

  /** Whether the next one would have to wait. */
  isFull(deviceId: string): boolean {
    return (this.#lines.get(deviceId)?.running ?? 0) >= this.#limits.perDevice;
  }

  /** Whether somebody waits. */
  isAwaited(deviceId: string): boolean {
    return (this.#lines.get(deviceId)?.waiting.size ?? 0) > 0;
  }

  #wait(line: Line, signal: AbortSignal): Promise<void> {
    if (line.waiting.size >= this.#limits.waitingPerDevice) throw new ProxyFailure('busy');
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        line.waiting.delete(enter);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const enter = (): void => (leave(), resolve());
      const onAbort = (): void => (leave(), reject(signal.reason as Error));
      const timer = setTimeout(() => (leave(), reject(new ProxyFailure('busy'))), this.#limits.waitMs);
      line.waiting.add(enter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Whoever waits longest takes the place over, so that a newcomer cannot overtake the line. */
  #giveBack(deviceId: string, line: Line): void {
    const [next] = line.waiting;
    if (next !== undefined) return next();
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(deviceId);
  }
}
