import type { SectionLookup } from '../parts/page-section.ts';
import { type Section, type SectionScope, sections } from './sections.ts';

/** The ids in a path: of the project or the repository whose sections are meant. */
export type PathParams = Readonly<Record<string, string>>;

/** The sections of some scopes that the user may see; `isMember` is about the repository whose sections they are. */
export function sectionsOf(
  scopes: readonly SectionScope[],
  isAdmin: boolean,
  isMember = true,
): readonly Section[] {
  return sections.filter(
    ({ scope, adminOnly = false, memberOnly = false }) =>
      scopes.includes(scope) && (isAdmin || !adminOnly) && (isMember || !memberOnly),
  );
}

/** The section with this id. */
export function sectionOf(id: Section['id']): Section {
  const found = sections.find((section) => section.id === id);
  if (found === undefined) throw new Error(`There is no section ${id}.`);
  return found;
}

/** The path of a section, with its parameters filled in. */
export function pathOf({ link }: Pick<Section, 'link'>, params: PathParams = {}): string {
  return link.replace(/\$(\w+)/gu, (_, name: string) => params[name] ?? '');
}

/** The section that a path belongs to. */
export interface SectionMatch {
  readonly section: Section;
  /** The path of the section itself. */
  readonly path: string;
  readonly params: PathParams;
  /** Whether the path leads to something in the section, such as one device. */
  readonly isInside: boolean;
}

/** The section of a path; undefined outside of the sections. */
export function findSection(path: string): SectionMatch | undefined {
  const parts = partsOf(path);
  const matches = sections.flatMap((section) => {
    const pattern = partsOf(section.link);
    if (
      !pattern.every((part, index) => (part.startsWith('$') ? index < parts.length : part === parts[index]))
    )
      return [];
    const ids = pattern.flatMap((part, index) =>
      part.startsWith('$') ? [[part.slice(1), parts[index] ?? ''] as const] : [],
    );
    const params = Object.fromEntries(ids);
    return { section, params, path: pathOf(section, params), isInside: parts.length > pattern.length };
  });
  return matches.toSorted((one, other) => other.path.length - one.path.length)[0];
}

// The section that lists what a scope is about.
const lists: Readonly<Partial<Record<SectionScope, Section['id']>>> = {
  project: 'projects',
  repository: 'repositories',
};

/** A page above another one. `isHome` marks the first section of a project or a repository, which links show by the name of the project or repository. */
export interface Ancestor {
  readonly section: Section;
  readonly path: string;
  readonly isHome: boolean;
}

/** The pages above a page of a project or a repository, nearest first; none for other pages. */
export function ancestorsOf(path: string): readonly Ancestor[] {
  const match = findSection(path);
  const list = match && lists[match.section.scope];
  if (match === undefined || list === undefined) return [];
  const top = { section: sectionOf(list), path: pathOf(sectionOf(list)), isHome: false };
  if (match.isInside) return [{ ...match, isHome: false }, top];
  const home = sections.find(({ scope }) => scope === match.section.scope);
  if (home === undefined || home === match.section) return [top];
  return [{ section: home, path: pathOf(home, match.params), isHome: true }, top];
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** What the shell tells pages of the sections. */
export const sectionLookup: SectionLookup = {
  find: (path) => {
    const match = findSection(path);
    if (match === undefined) return undefined;
    const { label, icon } = match.section;
    return { label: label(), icon, path: match.path, isInside: match.isInside };
  },
  shortcuts: () => sections.flatMap(({ key, label }) => (key === undefined ? [] : [{ key, label: label() }])),
};
