import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Library {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly licence: string;
  readonly author: string | undefined;
}

const inLibrary = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/;
const opening = 'This program contains Corral and the libraries named here, under these licences.';
const divider = '-'.repeat(80);
const licenceFile = /^(?:licen[cs]e|copying)(?:[.-].*)?$/i;

/** The licences of a bundle as one comment; see `licenceTexts`. */
export function licenceNotices(moduleIds: readonly string[], repositoryRoot: string): string {
  return `/*!\n${licenceTexts(moduleIds, repositoryRoot).replaceAll('*/', '* /')}\n*/\n`;
}

/**
 * The licences of Corral and of the libraries in a bundle; each text appears once, below the names of its libraries. Those that only name Apache-2.0 or MIT get its text. Throws an Error that
 * names a library whose package has no licence text.
 */
export function licenceTexts(moduleIds: readonly string[], repositoryRoot: string): string {
  const own = readFileSync(join(repositoryRoot, 'LICENSE'), 'utf8').trim();
  const byText = new Map<string, string[]>([[own, ['Corral']]]);
  for (const library of librariesOf(moduleIds)) {
    const text = textIn(library.folder) ?? standardText(library, own);
    byText.set(text, [
      ...(byText.get(text) ?? []),
      `${library.name} ${library.version} (${library.licence})`,
    ]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  const body = parts.join(`\n\n${divider}\n\n`);
  return `${opening}\n\n${body}\n`;
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** A library as `licenceTexts` lists it. */
export interface ListedLibrary {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** The libraries that a text of `licenceTexts` names, also one at the end of a program. */
export function listedLibraries(text: string): ListedLibrary[] {
  const start = text.lastIndexOf(opening);
  if (start < 0) throw new Error('There is no list of libraries in the text.');
  const [, ...parts] = text.slice(start).split('\n\n');
  const heads = parts.flatMap((part) => part.replace(divider, '').trim().split('\n'));
  return heads.flatMap((line) => {
    const [, name, version, licence] = /^((?:@[\w.-]+\/)?[\w.-]+) (\d\S*) \((.+)\)$/.exec(line) ?? [];
    return name === undefined || version === undefined || licence === undefined
      ? []
      : [{ name, version, licence }];
  });
}

function librariesOf(moduleIds: readonly string[]): Library[] {
  const folders = new Set(moduleIds.flatMap((id) => inLibrary.exec(id)?.[1] ?? []));
  const libraries = [...folders].map((folder) => {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    const { name, version, license, author } = JSON.parse(text) as {
      name: string;
      version: string;
      license?: string;
      author?: string | { name: string };
    };
    const authorName = typeof author === 'object' ? author.name : author;
    return { name, version, folder, licence: license ?? 'see below', author: authorName };
  });
  return libraries.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** The text of a licence that a library only names. */
function standardText({ name, licence, author }: Library, apache: string): string {
  if (licence === 'Apache-2.0') return apache;
  if (licence === 'MIT' && author !== undefined) return `Copyright (c) ${author}\n\n${mit}`;
  throw new Error(`The library ${name} has no licence text: it cannot be delivered.`);
}

function textIn(folder: string): string | undefined {
  const file = readdirSync(folder).find((entry) => licenceFile.test(entry));
  if (file === undefined) return sectionOfReadme(join(folder, 'README.md'));
  return readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
}

/** Some packages include their licence only at the end of their readme. */
function sectionOfReadme(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const [, section] = /^#+ *licen[cs]e\b[^\n]*\n([\s\S]+)$/im.exec(readFileSync(path, 'utf8')) ?? [];
  return section !== undefined && /copyright/i.test(section) ? section.trim() : undefined;
}
