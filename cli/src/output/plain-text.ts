// Names and events are untrusted: control characters and bidirectional marks could move the cursor or hide text.
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029]/g;

/** An untrusted text on one line, without control characters. */
export function plainText(text: string): string {
  return text.replace(unsafe, (character) => (character === '\n' || character === '\t' ? ' ' : '�'));
}
