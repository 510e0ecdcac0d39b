/** Control characters, line ends, and marks that turn the direction of text or are not seen. */
const unseen = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu;

/** Breaks what services take for a mention, a link or a function of cards, and is not seen. */
const breaker = '\u200b';

/** A text of another on one line of at most so many characters, without what is not seen. */
export function oneLine(text: string, maxLength: number): string {
  const line = text.slice(0, 10_000).toWellFormed().replace(unseen, ' ').replace(/\s+/g, ' ').trim();
  const symbols = Array.from(line);
  return symbols.length > maxLength ? `${symbols.slice(0, maxLength - 1).join('')}…` : line;
}

/** A name or another text of a user on one line of at most so many characters, in which no service finds a mention or a link with another label. */
export function plainText(text: string, maxLength: number): string {
  return oneLine(text, maxLength).replace(/[@＠]|\](?=[([:])|\{(?=\{)/g, (found) => found + breaker);
}

/** As many lines as fit into so many bytes of UTF-8 together; the last one says that some are left out. */
export function fitting(lines: readonly string[], maxBytes: number): string[] {
  const kept: string[] = [];
  let left = maxBytes - Buffer.byteLength('\n…');
  for (const line of lines) {
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) return [...kept, '…'];
    kept.push(line);
  }
  return kept;
}
