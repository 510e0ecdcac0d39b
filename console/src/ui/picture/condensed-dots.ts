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

/** Waiting and disconnected devices first, where readers look first. As many dots whatever the states are, so that a change moves no dots: what is rounded up is taken from the most frequent states. */
function condense([disconnected, connected, waiting]: StateCounts, devicesPerDot: number): number[] {
  const counts = [waiting, disconnected, connected];
  const total = disconnected + connected + waiting;
  const size = Math.max(Math.ceil(total / devicesPerDot), counts.filter((count) => count > 0).length);
  const dots = counts.map((count) => Math.ceil(count / devicesPerDot));
  for (let more = dots.reduce((sum, count) => sum + count, -size); more > 0; more -= 1) {
    const most = dots.indexOf(Math.max(...dots));
    dots[most] = (dots[most] ?? 0) - 1;
  }
  return [2, 0, 1].flatMap((state, index) => Array.from({ length: dots[index] ?? 0 }, () => state));
}
