// Loaded by `node --import` before a command: the clock of the machine is ahead by CLOCK_AHEAD_MS.
const aheadMs = Number(process.env['CLOCK_AHEAD_MS']);
const { now } = Date;

globalThis.Date = class extends Date {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [now() + aheadMs] : given) as [number]));
  }

  static override now(): number {
    return now() + aheadMs;
  }
} as DateConstructor;
