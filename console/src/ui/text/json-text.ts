/** Marks bigints until the text is written. Random, so that no text of others can contain it. */
const mark = `${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`;
const markedIntegers = new RegExp(`"${mark}(-?\\d+)"`, 'g');

/** A value as JSON, indented by so many spaces. A bigint is written as an integer with all its digits. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    // JSON.stringify throws at a bigint. A replacer for every value would take up to seven times as long.
    const text = JSON.stringify(
      value,
      (_key, item: unknown) => (typeof item === 'bigint' ? `${mark}${item}` : item),
      indent,
    );
    return text.replaceAll(markedIntegers, '$1');
  }
}
