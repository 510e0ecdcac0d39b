/** The header with the sentence of a failed HEAD request, whose answer has no body. It is percent-encoded. */
export const messageHeader = 'corral-message';

/** The value of that header for a sentence. */
export const encodeMessage = (message: string): string => encodeURIComponent(message);

/** The sentence in a value of that header; undefined where there is none, or one that is not from the hub. */
export function decodeMessage(value: string | null | undefined): string | undefined {
  try {
    return value === null || value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
