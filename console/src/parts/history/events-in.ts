/** The filter of the events of a time, from `fromMs` to before `toMs` or to now. */
export function eventsIn(fromMs: number, toMs?: number): string {
  return `emitted>=${isoOf(fromMs)}${toMs === undefined ? '' : ` emitted<${isoOf(toMs)}`}`;
}

const isoOf = (atMs: number): string => new Date(atMs).toISOString().replace('.000', '');
