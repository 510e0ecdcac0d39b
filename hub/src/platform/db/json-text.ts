const texts = new WeakMap<object, ReadonlyMap<string, string>>();

/**
 * Sets fields of an object to documents that stay the text that the database has sent. An answer copies this text, so that a large document is neither parsed
 * nor serialized again; reading such a field in this process parses it.
 */
export function withJsonTexts<Fields extends object>(
  fields: Fields,
  documents: Readonly<Partial<Record<keyof Fields & string, string>>>,
): Fields {
  const entries = Object.entries(documents) as [string, string][];
  for (const [name, text] of entries)
    Object.defineProperty(fields, name, {
      enumerable: true,
      configurable: true,
      get: () => JSON.parse(text) as unknown,
    });
  texts.set(fields, new Map(entries));
  return fields;
}

/** The documents of an object that are still text, by the name of their fields. */
export function jsonTextsOf(fields: object): ReadonlyMap<string, string> | undefined {
  return texts.get(fields);
}
