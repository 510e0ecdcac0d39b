/** Cuts the middle out of `text` so that at most `max` characters remain, the mark of omission among them. */
export function middleTruncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = Math.max(2, max - 1);
  const head = Math.ceil(kept / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (kept - head))}`;
}
