const dayMs = 86_400_000;

/** The month of a time in UTC plus a number of months, as partitions are named: year and month, such as 202611. */
export function monthFrom(at: Date, months = 0): number {
  const month = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months));
  return month.getUTCFullYear() * 100 + month.getUTCMonth() + 1;
}

/** The first and the last month that ids of events may name at a time. Partitions for these exist. */
export function monthsOfIds(now: Date): { readonly first: number; readonly last: number } {
  return { first: monthFrom(now, -1), last: monthFrom(new Date(now.getTime() + dayMs)) };
}

/** The month that the raw id of an event names; not a number if it names none. */
export function monthOfId(rawId: string): number {
  return Number(rawId.slice(0, 6));
}

/**
 * Tells the month that an event is stored in, by its raw id: the one that the id names, or the present one if the id is dated before last month or more than a day
 * ahead. Devices choose the ids; so none fills the default partition.
 */
export function storageMonths(now: Date): (rawId: string) => number {
  const { first, last } = monthsOfIds(now);
  const present = monthFrom(now);
  return (rawId) => {
    const month = monthOfId(rawId);
    return month >= first && month <= last ? month : present;
  };
}
