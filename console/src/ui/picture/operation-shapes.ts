/** How a device stands in an operation, as pictures show it, the worst first. */
export const operationMarks = ['failed', 'running', 'succeeded', 'waiting', 'queued', 'cancelled'] as const;

/** See `operationMarks`. */
export type OperationMark = (typeof operationMarks)[number];

const round = (value: number): number => Math.round(value * 10) / 10;

const circle = (x: number, y: number, radius: number): string =>
  `M${round(x - radius)} ${round(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;

/** The right half, which leaves the left one when it is cut out of a circle. */
const half = (x: number, y: number, radius: number): string =>
  `M${round(x)} ${round(y - radius)}a${radius} ${radius} 0 0 1 0 ${2 * radius}z`;

const diamond = (x: number, y: number, radius: number): string =>
  `M${round(x)} ${round(y - radius)}l${radius} ${radius}l${-radius} ${radius}l${-radius} ${-radius}z`;

/** The outline of a mark around a point, to be filled by the rule `evenodd`: what is running is a half disc, what waits a ring, what is queued a point. */
export function operationShape(mark: OperationMark, x: number, y: number, radius: number): string {
  switch (mark) {
    case 'failed':
      return diamond(x, y, round(radius * 1.25));
    case 'running':
      return circle(x, y, radius) + half(x, y, round(radius * 0.62));
    case 'succeeded':
      return circle(x, y, radius);
    case 'queued':
      return circle(x, y, round(radius * 0.45));
    default:
      return circle(x, y, radius) + circle(x, y, round(radius * 0.6));
  }
}

/** The class of the fill of a mark. */
export const operationFill: Record<OperationMark, string> = {
  failed: 'fill-danger-fill',
  running: 'fill-denim',
  succeeded: 'fill-ok-fill',
  waiting: 'fill-ink2',
  queued: 'fill-ink3',
  cancelled: 'fill-ink3',
};
