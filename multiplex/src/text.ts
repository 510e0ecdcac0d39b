const encoder = new TextEncoder();
const lenient = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 of a text. */
export function toBytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** UTF-8 of a text, truncated at a character to at most `maxBytes`. */
export function toBytesWithin(text: string, maxBytes: number): Uint8Array {
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return bytes;
  const cut = new Uint8Array(maxBytes);
  return cut.subarray(0, encoder.encodeInto(text, cut).written);
}

/** Decodes bytes for people; invalid UTF-8 becomes replacement characters. */
export function toReadableText(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}

/** Decodes bytes; undefined when they are not UTF-8. */
export function toText(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
