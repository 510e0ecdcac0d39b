/** What stands below a heading of a document. */
export interface Passage {
  readonly slug: string;
  /** The fragment of the heading. */
  readonly hash: string;
  /** The title of the document, and the headings down to this one. */
  readonly path: readonly string[];
  /** Without Markdown. */
  readonly text: string;
}

/** A part of a text, and whether the search has found it. */
export type Piece = readonly [text: string, isFound: boolean];

/** A passage that has all words of a search. */
export interface FoundPassage extends Passage {
  readonly heading: readonly Piece[];
  readonly excerpt: readonly Piece[];
}

const maxFound = 12;
const charactersBefore = 40;
const excerptCharacters = 150;

/** The passages in which each word of a search begins a word, those with it in their headings first. */
export function searchPassages(passages: readonly Passage[], search: string): FoundPassage[] {
  const words = search.trim().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [];
  const beginnings = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}`, 'iu'));
  const any = new RegExp(`(?<![\\p{L}\\p{N}])(${words.map(escaped).join('|')})`, 'giu');
  return passages
    .map((passage) => ({ passage, rank: rankOf(passage, beginnings) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .slice(0, maxFound)
    .map(({ passage }) => ({
      ...passage,
      heading: marked(passage.path.at(-1) ?? '', any),
      excerpt: marked(excerptOf(passage.text, any), any),
    }));
}

/** Of a passage that lacks a word 0. */
function rankOf({ path, text }: Passage, beginnings: readonly RegExp[]): number {
  const heading = path.at(-1) ?? '';
  const above = path.slice(0, -1).join(' ');
  const ranks = beginnings.map((word) =>
    word.test(heading) ? 10 : word.test(text) ? 2 : word.test(above) ? 1 : 0,
  );
  return ranks.some((rank) => rank === 0) ? 0 : ranks.reduce((sum: number, rank) => sum + rank, 0);
}

/** The text around the first word that is found, from a word to a word. */
function excerptOf(text: string, any: RegExp): string {
  const at = Math.max(0, text.search(any) - charactersBefore);
  const from = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const end =
    text.length <= from + excerptCharacters ? text.length : text.lastIndexOf(' ', from + excerptCharacters);
  return `${from > 0 ? '…' : ''}${text.slice(from, Math.max(from, end))}${end < text.length ? '…' : ''}`;
}

/** The pieces of a text; those at odd places are what `any` has found. */
function marked(text: string, any: RegExp): Piece[] {
  return text
    .split(any)
    .map((piece, index): Piece => [piece, index % 2 === 1])
    .filter(([piece]) => piece !== '');
}

const escaped = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
