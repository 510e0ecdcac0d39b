/** Truncates `text` in the middle to at most `max` characters, including the ellipsis; where there is room for a few only, they are its last ones. */
export function middleTruncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = Math.max(2, max - 1);
  const head = kept < 5 ? 0 : Math.ceil(kept / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (kept - head))}`;
}
