const plurals = new Intl.PluralRules('en');

/** A number up to which something was counted, with a plus where there may be more. */
export function countOrMore(counted: number, hasMore: boolean): string {
  return `${counted.toLocaleString('en')}${hasMore ? '+' : ''}`;
}

/** A number with its noun in singular or plural. */
export function count(n: number, one: string, other: string): string {
  return `${n.toLocaleString('en')} ${plurals.select(n) === 'one' ? one : other}`;
}
