import { numberIn } from './values.ts';

/**
 * A value as a filter finds exactly the rows that show this text: in quotation marks where the grammar needs them, and where the word would also be another number, as `007` would be 7.
 */
export function writtenValue(text: string): string {
  const isWord = /^[^\s"(),]+$/u.test(text) && !text.endsWith('*');
  const number = isWord ? numberIn({ text, isPrefix: false, isQuoted: false, at: 0 }) : undefined;
  if (isWord && (number === undefined || String(number) === text)) return text;
  return `"${text.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
