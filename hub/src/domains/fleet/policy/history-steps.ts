const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const stepsOfPeople = [
  1,
  2,
  5,
  10,
  15,
  30,
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
];
const most = 60;

/** How long a step of a history of so many seconds is, so that it has at most 60: as people count time. */
export function stepSecondsOf(seconds: number): number {
  return stepsOfPeople.find((step) => seconds <= step * most) ?? Math.ceil(seconds / most / day) * day;
}
