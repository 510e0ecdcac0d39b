import { documentTitles } from '../../parts/document-titles.ts';
import { readDocument } from './documents.ts';
import { headingId } from './heading-id.ts';
import type { Passage } from './search-passages.ts';

/** The passages of all documents. The documents themselves are what is searched: each is one small file that the browser keeps. */
export async function loadPassages(): Promise<Passage[]> {
  const slugs = Object.keys(documentTitles) as (keyof typeof documentTitles)[];
  const texts = await Promise.all(slugs.map(readDocument));
  return slugs.flatMap((slug, index) => passagesOf(slug, documentTitles[slug], texts[index] ?? ''));
}

/** Splits a document at its headings. */
export function passagesOf(slug: string, title: string, markdown: string): Passage[] {
  const passages: { hash: string; path: string[]; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, marks = '', heading = ''] = (isCode ? null : /^(#{1,6}) (.*)$/u.exec(line)) ?? [];
    if (marks === '') {
      if (!line.startsWith('```')) passages.at(-1)?.lines.push(line);
      continue;
    }
    const above = passages.at(-1)?.path ?? [];
    // The title of the list stands for the first heading.
    const path = marks.length === 1 ? [title] : [...above.slice(0, marks.length - 1), plain(heading)];
    passages.push({ hash: marks.length === 1 ? '' : headingId(heading), path, lines: [] });
  }
  return passages.map(({ hash, path, lines }) => ({ slug, hash, path, text: plain(lines.join('\n')) }));
}

/** Markdown as plain text on one line. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/<!--[\s\S]*?-->/gu, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/`|\*\*/gu, '')
    .replaceAll(/\||^[ \t]*(?:[-*>]|\d+\.) |:?-{3,}:?/gmu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
