/** How many devices of a group are in each state, by the number of the state. */
export type StateCounts = readonly [disconnected: number, connected: number, waiting: number];

/** The states of dots, group after group, how many dots each group has, and how many devices a dot stands for. */
export interface Dots {
  readonly states: Uint8Array;
  readonly sizes: readonly number[];
  readonly devicesPerDot: number;
}

function unpackStates(base64: string, total: number): Uint8Array {
  const packed = atob(base64);
  const states = new Uint8Array(total);
  for (let index = 0; index < total; index++)
    states[index] = (packed.charCodeAt(index >> 2) >> ((index & 3) * 2)) & 3;
  return states;
}

/**
 * At most about `maxDots` dots of groups of devices: one for each device, whose states are base64 of two bits each, the first one in the lowest bits; or, where there are too many, dots that stand for several,
 * computed from the counts of each group: a state without devices has no dot, and one with any has at least one.
 */
export function dotsOf(groups: readonly StateCounts[], states: string, maxDots: number): Dots {
  const devices = groups.map((counts) => counts.reduce((sum, count) => sum + count, 0));
  const total = devices.reduce((sum, count) => sum + count, 0);
  if (total <= maxDots) return { states: unpackStates(states, total), sizes: devices, devicesPerDot: 1 };
  const devicesPerDot = Math.ceil(total / maxDots);
  const condensed = groups.map((counts) => condense(counts, devicesPerDot));
  return {
    states: Uint8Array.from(condensed.flat()),
    sizes: condensed.map(({ length }) => length),
    devicesPerDot,
  };
}

/** Waiting and disconnected devices first, where readers look first. */
function condense([disconnected, connected, waiting]: StateCounts, devicesPerDot: number): number[] {
  const dots = (count: number, state: number) =>
    Array.from({ length: Math.ceil(count / devicesPerDot) }, () => state);
  return [...dots(waiting, 2), ...dots(disconnected, 0), ...dots(connected, 1)];
}
