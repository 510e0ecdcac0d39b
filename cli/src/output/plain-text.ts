// Names and events come from others: control characters could move the cursor or hide what is there, and so could changes of direction.
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029]/g;

/** A text of somebody else in one line that does nothing to a terminal. */
export function plainText(text: string): string {
  return text.replace(unsafe, (character) => (character === '\n' || character === '\t' ? ' ' : '�'));
}
