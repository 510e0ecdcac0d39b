/** How what is stored has changed since it was first seen. */
interface Growth {
  readonly bytes: number;
  readonly days: number;
  /** The values that are known, oldest first, to now. */
  readonly values: readonly number[];
  /** When the quota is reached if it goes on like this; only where it grew steadily for a week at least. */
  readonly fullInDays: number | undefined;
}

interface Seen {
  /** What was stored in each step to now; null where nobody looked. */
  readonly values: readonly (number | null)[];
  readonly stepDays: number;
  readonly now: number;
  /** The quota. */
  readonly max: number | undefined;
}

interface Point {
  readonly day: number;
  readonly bytes: number;
}

const minDays = 7;
const maxForecastDays = 365;
/** How much of what changed a straight line must explain. */
const goodFit = 0.8;

/** See `Growth`; undefined until it was seen for an hour. */
export function growthOf({ values, stepDays, now, max }: Seen): Growth | undefined {
  // The last step is now.
  const past = values
    .slice(0, -1)
    .flatMap((bytes, step) => (bytes === null ? [] : [{ day: step * stepDays, bytes }]));
  const points: Point[] = [...past, { day: (values.length - 1) * stepDays, bytes: now }];
  const [first] = past;
  if (first === undefined) return undefined;
  const days = (values.length - 1) * stepDays - first.day;
  return {
    bytes: now - first.bytes,
    days,
    values: points.map(({ bytes }) => bytes),
    fullInDays: max === undefined || days < minDays ? undefined : forecast(points, max - now),
  };
}

function forecast(points: readonly Point[], room: number): number | undefined {
  const mean = (of: (point: Point) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [meanDay, meanBytes] = [mean(({ day }) => day), mean(({ bytes }) => bytes)];
  const ofDays = mean(({ day }) => (day - meanDay) ** 2);
  const ofBytes = mean(({ bytes }) => (bytes - meanBytes) ** 2);
  const ofBoth = mean(({ day, bytes }) => (day - meanDay) * (bytes - meanBytes));
  if (room <= 0 || ofBoth <= 0 || ofBoth ** 2 < goodFit * ofDays * ofBytes) return undefined;
  const days = room / (ofBoth / ofDays);
  return days > maxForecastDays ? undefined : days;
}
