/** The state of a device as the hub numbers it: 0 disconnected, 1 connected, 2 waiting for a certificate, 3 failing. */
export const dotStateNames = ['disconnected', 'connected', 'waiting', 'failing'] as const;

const circle = (x: number, y: number, radius: number): string =>
  `M${round(x - radius)} ${round(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;

// A ring with its quarter at the top open.
const notchedRing = (x: number, y: number, radius: number): string =>
  `M${round(x)} ${round(y - radius)}a${radius} ${radius} 0 1 0 ${radius} ${radius}`;

const diamond = (x: number, y: number, radius: number): string =>
  `M${round(x)} ${round(y - radius)}l${radius} ${radius}l${-radius} ${radius}l${-radius} ${-radius}z`;

const round = (value: number): number => Math.round(value * 10) / 10;

/** The outlines of dots `pitch` pixels apart as the data of an SVG path, by the number of their state. */
export function dotShape(state: number, x: number, y: number, pitch: number): string {
  const radius = Math.round(pitch * 3.4) / 10;
  switch (state) {
    case 1:
      return circle(x, y, radius);
    case 2:
      return notchedRing(x, y, radius * 0.84);
    case 3:
      return diamond(x, y, radius * 1.15);
    default:
      return circle(x, y, radius * 0.84);
  }
}

/** Whether the outline of a state is stroked instead of filled. */
export const isStroked = (state: number): boolean => state === 0 || state === 2;

/** The width of the stroke of dots of this pitch. */
export const strokeWidth = (state: number, pitch: number): number => (state === 2 ? 0.18 : 0.135) * pitch;
