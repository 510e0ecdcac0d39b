const plurals = new Intl.PluralRules('en');

/** A number with its noun in singular or plural. */
export function count(n: number, one: string, other: string): string {
  return `${n} ${plurals.select(n) === 'one' ? one : other}`;
}
