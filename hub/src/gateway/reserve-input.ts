import { defaultMaxInputBytes } from '@corral/contract';
import type { InputReservation } from '@corral/multiplex';
import type { CallerKeys } from '../limits/caller.ts';
import type { FairSemaphore } from '../limits/fair-semaphore.ts';

/** How long a large input may take to arrive once it is being read. No minimum rate: over a slow mobile network 1 MiB takes about as long. */
const arrivalTimeoutMs = 30_000;

/** Waits for the turn of a large input of a caller, undefined for a small one; `onLate` is called when it does not arrive in time. Rejected when too many wait. */
export function reserveInput(
  largeInputs: FairSemaphore,
  keys: CallerKeys,
  inputBytes: number,
  onLate: () => void,
): Promise<InputReservation> | undefined {
  return inputBytes <= defaultMaxInputBytes ? undefined : reserve(largeInputs, keys, onLate);
}

async function reserve(
  largeInputs: FairSemaphore,
  keys: CallerKeys,
  onLate: () => void,
): Promise<InputReservation> {
  await largeInputs.acquire(keys);
  const timer = setTimeout(onLate, arrivalTimeoutMs);
  return {
    arrived: () => clearTimeout(timer),
    free: () => {
      clearTimeout(timer);
      largeInputs.release(keys);
    },
  };
}
