/** A place in a TOML document: keys and indexes of arrays. */
export type TomlPath = readonly (string | number)[];

const header = /^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/;
const entry = /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/;
const segment = /[\w-]+|"[^"]*"|'[^']*'/g;
/** What comes after this is not looked at, so that odd lines cost little. */
const maxLineCharacters = 1_000;

/** The lines of a document on which its tables and keys begin. */
export class DocumentLines {
  readonly #lines: ReadonlyMap<string, number>;

  constructor(text: string) {
    this.#lines = linesOf(text);
  }

  /** The line of a place, from 1, or of the nearest place around it that begins a line. */
  of(path: TomlPath): number {
    for (let length = path.length; length > 0; length -= 1) {
      const line = this.#lines.get(JSON.stringify(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  }
}

/** The first line of each table and key. */
function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const counts = new Map<string, number>();
  let table: TomlPath = [];
  let isInText = false;
  for (const [index, whole] of text.split('\n').entries()) {
    const line = whole.slice(0, maxLineCharacters);
    const wasInText = isInText;
    // A text over several lines may hold what looks like a key.
    if ((line.match(/"""|'''/g) ?? []).length % 2 === 1) isInText = !isInText;
    if (wasInText) continue;
    const [, brackets, name = ''] = header.exec(line) ?? [];
    if (brackets !== undefined) table = tableOf(keysOf(name), brackets === '[[', counts);
    const keys = brackets === undefined ? keysOf(entry.exec(line)?.[1] ?? '') : [];
    if (brackets === undefined && keys.length === 0) continue;
    const place = [...table, ...keys];
    for (let length = 1; length <= place.length; length += 1) {
      const key = JSON.stringify(place.slice(0, length));
      if (!lines.has(key)) lines.set(key, index + 1);
    }
  }
  return lines;
}

function keysOf(name: string): string[] {
  return (name.match(segment) ?? []).map((key) => key.replace(/^(["'])(.*)\1$/, '$2'));
}

function tableOf(keys: readonly string[], isArray: boolean, counts: Map<string, number>): TomlPath {
  if (!isArray) return keys;
  const key = JSON.stringify(keys);
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return [...keys, count];
}
