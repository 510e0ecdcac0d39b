/** The state of a dot; `unknown` where it is not known whether devices are connected. */
export type DotState = 'connected' | 'disconnected' | 'pending' | 'unknown';

/** The numbers of a project's devices. `connected` is undefined where it is not known. */
export type DeviceCounts = { total: number; connected?: number | undefined; pending?: number | undefined };

/** The dots for these numbers, at most `maxDots` of them, and how many devices one dot stands for. */
export function dotStates(
  counts: DeviceCounts,
  maxDots: number,
): { dots: DotState[]; devicesPerDot: number } {
  const devicesPerDot = Math.max(1, Math.ceil(counts.total / maxDots));
  const count = Math.ceil(counts.total / devicesPerDot);
  if (counts.connected === undefined) return { dots: Array<DotState>(count).fill('unknown'), devicesPerDot };
  const off = scaled(counts.total - counts.connected, devicesPerDot, count);
  const waiting = Math.min(scaled(counts.pending ?? 0, devicesPerDot, count), count);
  // Problems come first, where readers look first.
  const dots = Array.from({ length: count }, (_, index): DotState => {
    if (index < waiting) return 'pending';
    return index < Math.min(count, waiting + off) ? 'disconnected' : 'connected';
  });
  return { dots, devicesPerDot };
}

// At least one dot for one device or more, and never more dots than there are.
function scaled(devices: number, devicesPerDot: number, count: number): number {
  if (devices <= 0) return 0;
  return Math.min(count, Math.max(1, Math.round(devices / devicesPerDot)));
}
