/** The state of a dot; `unknown` where it is not known whether devices are connected. */
export type DotState = 'connected' | 'disconnected' | 'pending' | 'unknown';

/** The numbers of a project's devices. `connected` is undefined where it is not known. */
export type DeviceCounts = { total: number; connected?: number | undefined; pending?: number | undefined };

/** The dots for these numbers, at most `maxDots` of them, and how many devices one dot stands for. */
export function dotStates(
  { total, connected, pending = 0 }: DeviceCounts,
  maxDots: number,
): { dots: DotState[]; devicesPerDot: number } {
  const devicesPerDot = Math.max(1, Math.ceil(total / maxDots));
  const count = Math.ceil(total / devicesPerDot);
  if (connected === undefined) return { dots: Array<DotState>(count).fill('unknown'), devicesPerDot };
  // Devices that wait for their certificate are disconnected, unless there are more of them than that.
  const hasRings = total - connected > pending;
  const filled = hasRings ? shareOf(connected, count - 1 - Math.sign(pending)) : 0;
  const waiting = shareOf(pending, count - filled - (hasRings ? 1 : 0));
  // Problems come first, where readers look first.
  const dots = Array.from({ length: count }, (_, index): DotState => {
    if (index < waiting) return 'pending';
    return hasRings && index < count - filled ? 'disconnected' : 'connected';
  });
  return { dots, devicesPerDot };

  // None for no device, at least one for any, and never more than `max`.
  function shareOf(devices: number, max: number): number {
    return devices <= 0 ? 0 : Math.min(max, Math.max(1, Math.round((devices / total) * count)));
  }
}
