import { randomBetween } from './simulated-device.ts';

/** How a simulated device behaves. */
export interface Role {
  /** Enrols with the token whose devices need approval. */
  readonly needsApproval: boolean;
  /** How long it stays connected, in milliseconds. */
  readonly connectedForMs: () => number;
  /** How long it stays disconnected, in milliseconds; undefined: by the backoff of any agent. */
  readonly disconnectedForMs?: () => number;
}

const stable: Role = { needsApproval: false, connectedForMs: () => Infinity };
const pending: Role = { ...stable, needsApproval: true };
const flapping: Role = {
  needsApproval: false,
  connectedForMs: () => randomBetween(20_000, 40_000),
  disconnectedForMs: () => randomBetween(10_000, 20_000),
};

const minuteMs = 60_000;
/** Reports itself, and is away for most of the time. */
const away: Role = {
  needsApproval: false,
  connectedForMs: () => randomBetween(10_000, 20_000),
  disconnectedForMs: () => randomBetween(30 * minuteMs, 180 * minuteMs),
};
const awayEvery = 25;

/**
 * The role of a device by its index, from 0: the second needs approval where there is a token for it, the third flaps, and each 25th is away for most of the time. Roles do not depend on
 * the size of the fleet.
 */
export function roleOf(index: number, hasApprovalToken: boolean): Role {
  if (index === 1 && hasApprovalToken) return pending;
  if (index === 2) return flapping;
  return (index + 1) % awayEvery === 0 ? away : stable;
}
