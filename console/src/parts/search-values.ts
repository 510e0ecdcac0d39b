/** Reads text from a search parameter; a number or a boolean becomes text. Undefined when it is empty or something else. */
export function searchText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Reads one of `choices` from a search parameter; undefined for anything else. */
export function searchChoice<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  const text = searchText(value);
  return choices.find((choice) => choice === text);
}

type Optional<Search> = { [Key in keyof Search]?: Exclude<Search[Key], undefined> };

/** Types the result of `validateSearch`: every key must be present, or the router keeps its raw value. */
export function asSearch<Search extends object>(search: Search): Optional<Search> {
  return search as Optional<Search>;
}

/** A copy without the undefined entries, so that default values do not appear in the URL. */
export function omitUndefined<Search extends object>(search: Search): Optional<Search> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never;
}
