import type { ProxyLimits } from './limits.ts';
import { ProxyFailure } from './ProxyFailure.ts';

interface DeviceSlots {
  usedCount: number;
  /** In arrival order. */
  readonly waiters: Set<() => void>;
}

type ConcurrencyLimits = Pick<ProxyLimits, 'maxConcurrentPerDevice' | 'maxWaitingPerDevice' | 'maxWaitMs'>;

/** Limits how many streams to one device are open at a time. Further requests queue for a limited time, in a queue of limited length. */
export class DeviceConcurrencyLimit {
  readonly #limits: ConcurrencyLimits;
  readonly #devices = new Map<string, DeviceSlots>();

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** Waits for a slot and resolves with the function that releases it. Rejects with a ProxyFailure when the queue is full or too slow, or with the signal's reason. */
  async acquire(deviceId: string, signal: AbortSignal): Promise<() => void> {
    const slots = this.#devices.get(deviceId) ?? { usedCount: 0, waiters: new Set() };
    this.#devices.set(deviceId, slots);
    if (slots.usedCount < this.#limits.maxConcurrentPerDevice) slots.usedCount += 1;
    else await this.#wait(slots, signal);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#release(deviceId, slots);
    };
  }

  /** Whether the next request would have to wait. */
  isFull(deviceId: string): boolean {
    return (this.#devices.get(deviceId)?.usedCount ?? 0) >= this.#limits.maxConcurrentPerDevice;
  }

  /** Whether a request waits for a slot. */
  hasWaiters(deviceId: string): boolean {
    return (this.#devices.get(deviceId)?.waiters.size ?? 0) > 0;
  }

  #wait({ waiters }: DeviceSlots, signal: AbortSignal): Promise<void> {
    if (waiters.size >= this.#limits.maxWaitingPerDevice) throw new ProxyFailure('busy');
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiters.delete(enter);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const enter = (): void => (leave(), resolve());
      const onAbort = (): void => (leave(), reject(signal.reason as Error));
      const timer = setTimeout(() => (leave(), reject(new ProxyFailure('busy'))), this.#limits.maxWaitMs);
      waiters.add(enter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Passes the slot to the first waiter without freeing it, so that a new request cannot overtake the queue. */
  #release(deviceId: string, slots: DeviceSlots): void {
    const [next] = slots.waiters;
    if (next !== undefined) return next();
    slots.usedCount -= 1;
    if (slots.usedCount === 0) this.#devices.delete(deviceId);
  }
}
