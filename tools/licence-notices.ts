import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Library {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly licence: string;
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
 * The licences of Corral and of the libraries in a bundle; each text appears once, below the names of its libraries. Throws an Error that
 * names a library whose package has no licence text.
 */
export function licenceTexts(moduleIds: readonly string[], repositoryRoot: string): string {
  const own = readFileSync(join(repositoryRoot, 'LICENSE'), 'utf8').trim();
  const byText = new Map<string, string[]>([[own, ['Corral']]]);
  for (const library of librariesOf(moduleIds)) {
    const text = licenceText(library);
    byText.set(text, [
      ...(byText.get(text) ?? []),
      `${library.name} ${library.version} (${library.licence})`,
    ]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  const body = parts.join(`\n\n${divider}\n\n`);
  return `${opening}\n\n${body}\n`;
}

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
    const { name, version, license } = JSON.parse(text) as {
      name: string;
      version: string;
      license?: string;
    };
    return { name, version, folder, licence: license ?? 'see below' };
  });
  return libraries.toSorted((left, right) => left.name.localeCompare(right.name));
}

function licenceText({ name, folder }: Library): string {
  const file = readdirSync(folder).find((entry) => licenceFile.test(entry));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
  const inReadme = sectionOfReadme(join(folder, 'README.md'));
  if (inReadme === undefined)
    throw new Error(`The library ${name} has no licence text: it cannot be delivered.`);
  return inReadme;
}

/** Some packages include their licence only at the end of their readme. */
function sectionOfReadme(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const [, section] = /^#+ *licen[cs]e\b[^\n]*\n([\s\S]+)$/im.exec(readFileSync(path, 'utf8')) ?? [];
  return section !== undefined && /copyright/i.test(section) ? section.trim() : undefined;
}
