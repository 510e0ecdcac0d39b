/** The clocks of this machine, in milliseconds: a monotonic one, and the time of day, which may be wrong. */
export const machineClocks = {
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  machineMs: () => Date.now(),
};
