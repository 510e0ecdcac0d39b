/** What can be found: by its label, by its id, or by other words. Lower case. */
export type Findable = { label: string; id: string; words: string };

const strongScore = 2;

/**
 * How well `words` (lower case) fit: 0 is the thing itself, greater is worse, undefined is not at all. Every word has to fit
 * somewhere.
 */
export function scoreOf(thing: Findable, words: readonly string[]): number | undefined {
  if (words.length === 0) return strongScore;
  const whole = words.join(' ');
  if (thing.label === whole || thing.id === whole) return 0;
  if (thing.label.startsWith(whole)) return 1;
  let worst = 0;
  for (const word of words) {
    const score = scoreOfWord(thing, word);
    if (score === undefined) return undefined;
    worst = Math.max(worst, score);
  }
  return worst;
}

function scoreOfWord({ label, id, words }: Findable, word: string): number | undefined {
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

/** Whether a score says that the beginning of a word was meant, and not some letters inside one. */
export function isStrong(score: number): boolean {
  return score <= strongScore;
}

/** The words of what was typed, in lower case. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** The best `limit` of `things` for `words`, how many fit at all, and the best score. Equal ones keep their order. */
export function best<Thing>(
  things: readonly Thing[],
  words: readonly string[],
  findable: (thing: Thing) => Findable,
  limit: number,
): { found: Thing[]; total: number; score: number } {
  const scored: { thing: Thing; score: number }[] = [];
  for (const thing of things) {
    const score = scoreOf(findable(thing), words);
    if (score !== undefined) scored.push({ thing, score });
  }
  scored.sort((one, other) => one.score - other.score);
  return {
    found: scored.slice(0, limit).map(({ thing }) => thing),
    total: scored.length,
    score: scored[0]?.score ?? Number.POSITIVE_INFINITY,
  };
}
