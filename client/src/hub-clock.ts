/** Half of the second to which the header Date is cut, in milliseconds. */
const halfSecondMs = 500;
/** Clocks that differ by less are taken as equal, so that nothing moves back and forth by what a header is cut to. */
const toleranceMs = 2_000;

/** The time of a hub, learnt from its answers, since the clock of this machine may be wrong. It is that of this machine before the first answer. */
export interface HubClock {
  /** Learns from an answer: its header Date, and when its request was sent, by the clock of this machine. */
  note(date: string | null | undefined, sentAtMs: number): void;
  /** The time of the hub at a time of this machine, by default now; both in milliseconds since the epoch. */
  at(localMs?: number): number;
}

/** Creates the clock of a hub; `onChange` is called with each new offset from the clock of this machine, in milliseconds. */
export function createHubClock(onChange?: (offsetMs: number) => void): HubClock {
  let offsetMs = 0;
  return {
    at: (localMs = Date.now()) => localMs + offsetMs,
    note(date, sentAtMs) {
      const receivedAtMs = Date.now();
      const measuredMs = Date.parse(date ?? '') + halfSecondMs - (sentAtMs + receivedAtMs) / 2;
      const doubtMs = toleranceMs + Math.abs(receivedAtMs - sentAtMs) / 2;
      if (!(Math.abs(measuredMs - offsetMs) > doubtMs)) return;
      offsetMs = Math.abs(measuredMs) > doubtMs ? measuredMs : 0;
      onChange?.(offsetMs);
    },
  };
}
