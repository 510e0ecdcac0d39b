import { foldText } from '@corral/contract';

/** The texts that a search matches, without case and accents: label, id, and other words. */
export type SearchFields = { label: string; id: string; words: string };

const strongScore = 2;

/**
 * How well `words` (see `wordsOf`) match: 0 is an exact match, greater is worse, undefined is no match. Every word has to match.
 */
export function scoreOf(fields: SearchFields, words: readonly string[]): number | undefined {
  if (words.length === 0) return strongScore;
  const whole = words.join(' ');
  if (fields.label === whole || fields.id === whole) return 0;
  if (fields.label.startsWith(whole)) return 1;
  let worst = 0;
  for (const word of words) {
    const score = scoreOfWord(fields, word);
    if (score === undefined) return undefined;
    worst = Math.max(worst, score);
  }
  return worst;
}

function scoreOfWord({ label, id, words }: SearchFields, word: string): number | undefined {
  const at = label.indexOf(word);
  if (at === 0 || (at > 0 && isStart(label, at))) return strongScore;
  if (id.startsWith(word)) return strongScore;
  if (at > 0) return 3;
  const among = words.indexOf(word);
  if (among === 0 || (among > 0 && isStart(words, among))) return 4;
  return id.includes(word) ? 5 : undefined;
}

// "gantry" starts a word in "crane-04-gantry".
function isStart(text: string, at: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ');
}

/** Whether a score means a match at the start of a word, and not only inside one. */
export function isStrong(score: number): boolean {
  return score <= strongScore;
}

/** Splits the typed text into words, without case and accents. */
export function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** The `limit` best matches of `entities` for `words`, the total number of matches, and the best score. The order is stable. */
export function bestMatches<Entity>(
  entities: readonly Entity[],
  words: readonly string[],
  fieldsOf: (entity: Entity) => SearchFields,
  limit: number,
): { found: Entity[]; total: number; score: number } {
  const scored: { entity: Entity; score: number }[] = [];
  for (const entity of entities) {
    const score = scoreOf(fieldsOf(entity), words);
    if (score !== undefined) scored.push({ entity, score });
  }
  scored.sort((one, other) => one.score - other.score);
  return {
    found: scored.slice(0, limit).map(({ entity }) => entity),
    total: scored.length,
    score: scored[0]?.score ?? Number.POSITIVE_INFINITY,
  };
}
