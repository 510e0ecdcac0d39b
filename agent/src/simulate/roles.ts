import { randomBetween } from './simulated-device.ts';

/** How a simulated device differs from the steady ones. */
export interface Role {
  /** Enrols with the token whose devices wait for an operator. */
  readonly isAsking: boolean;
  /** How long it stays connected, in milliseconds. */
  readonly staysForMs: () => number;
  /** How long it is away before it comes back, in milliseconds; undefined: as any agent's backoff says. */
  readonly awayForMs?: () => number;
}

const steady: Role = { isAsking: false, staysForMs: () => Infinity };
const asking: Role = { ...steady, isAsking: true };
const flapping: Role = {
  isAsking: false,
  staysForMs: () => randomBetween(20_000, 40_000),
  awayForMs: () => randomBetween(10_000, 20_000),
};

/** The role of a device by its index, counted from 0: the second asks where it can, the third flaps; so it stays when the fleet grows. */
export function roleOf(index: number, canAsk: boolean): Role {
  if (index === 1 && canAsk) return asking;
  return index === 2 ? flapping : steady;
}
