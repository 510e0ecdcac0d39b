const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Formats a size in decimal units with one to three digits before the point, e.g. "28.9 GB". */
export function formatBytes(bytes: number): string {
  const [size, unit] = scale(bytes);
  return `${size} ${unit}`;
}

/** Formats `bytes` in the unit of `ofBytes`, without the unit, e.g. "11.2" of "28.9 GB". */
export function formatPart(bytes: number, ofBytes: number): string {
  const power = powerOf(ofBytes);
  return digits(bytes / 1000 ** power, power);
}

function scale(bytes: number): [string, string] {
  const power = powerOf(bytes);
  return [digits(bytes / 1000 ** power, power), units[power] ?? ''];
}

function powerOf(bytes: number): number {
  return bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
}

function digits(size: number, power: number): string {
  return power === 0 ? String(size) : size.toFixed(1);
}
