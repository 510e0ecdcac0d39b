const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** A duration in its two largest units, such as `4 h 54 min`; below a minute in seconds. */
export function durationText(secs: number): string {
  for (const [index, [size, name]] of units.entries()) {
    if (secs < size) continue;
    const [smaller, smallerName] = units[index + 1] ?? [1, 's'];
    const rest = Math.floor((secs % size) / smaller);
    return `${Math.floor(secs / size)} ${name}${rest === 0 ? '' : ` ${rest} ${smallerName}`}`;
  }
  return `${Math.floor(secs)} s`;
}
