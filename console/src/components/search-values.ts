/** Reads text from a search parameter; a number or a boolean is what somebody typed, too. Undefined when empty or no text. */
export function searchText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Reads one of a few words from a search parameter; undefined for anything else. */
export function searchChoice<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  const text = searchText(value);
  return choices.find((choice) => choice === text);
}

type Optional<Search> = { [Key in keyof Search]?: Exclude<Search[Key], undefined> };

/**
 * What a route makes of the search that was typed. Every entry is named even when it is undefined, because what a route leaves
 * out would stay in its search as it was typed.
 */
export function validated<Search extends object>(search: Search): Optional<Search> {
  return search as Optional<Search>;
}

/** An object without the entries that are undefined, so that defaults leave the URL. */
export function compact<Search extends object>(search: Search): Optional<Search> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never;
}
