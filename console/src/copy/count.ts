const plurals = new Intl.PluralRules('en');

/** A number with its word in the form that English wants. */
export function count(n: number, one: string, other: string): string {
  return `${n} ${plurals.select(n) === 'one' ? one : other}`;
}
