import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The kinds of changes in the order of the changelog; what must be done before an upgrade comes first. */
const kinds = ['Before you upgrade', 'Security', 'Added', 'Changed', 'Fixed', 'Removed'] as const;

interface Change {
  readonly kind: (typeof kinds)[number];
  readonly text: string;
}

const longest = 400;

/** A file below `changes/` that does not keep the rules, and why. */
export interface ChangeProblem {
  readonly file: string;
  readonly message: string;
}

/** Reads the notes of the next release: each file is `Kind: sentences.`, such as `Fixed: The list of devices …`. */
export function readChanges(root: string): { changes: Change[]; problems: ChangeProblem[] } {
  const folder = join(root, 'changes');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'README.md') : [];
  const changes: Change[] = [];
  const problems: ChangeProblem[] = [];
  for (const name of names.toSorted()) {
    const read = name.endsWith('.md')
      ? parseChange(readFileSync(join(folder, name), 'utf8').trim())
      : 'A note is a file that ends with .md.';
    if (typeof read === 'string') problems.push({ file: `changes/${name}`, message: read });
    else changes.push(read);
  }
  return { changes, problems };
}

function parseChange(content: string): Change | string {
  const [, word = '', text = ''] = /^([^:\n]+): (.+)$/s.exec(content) ?? [];
  const kind = kinds.find((each) => each === word);
  if (kind === undefined) return `A note begins with one of ${kinds.join(', ')}, a colon and a space.`;
  if (text.length > longest) return `A note has at most ${longest} characters; this one has ${text.length}.`;
  if (/^#|^[-*] /m.test(text)) return 'A note is a few sentences without headings and lists.';
  return text.endsWith('.') ? { kind, text: text.replaceAll(/\s+/g, ' ') } : 'A note ends with a full stop.';
}

/** The section of a release in CHANGELOG.md. */
export function changelogSection(version: string, day: string, changes: readonly Change[]): string {
  const parts = kinds.flatMap((kind) => {
    const texts = changes.filter((change) => change.kind === kind).map(({ text }) => `- ${text}`);
    return texts.length === 0 ? [] : [`### ${kind}\n\n${texts.join('\n')}`];
  });
  return `## ${version} (${day})\n\n${parts.join('\n\n')}\n`;
}

/** What a hub tells its administrators of a release: what is urgent, or comes before an upgrade. */
interface UrgentNote {
  readonly version: string;
  readonly text: string;
}

/** As many as a hub shows. */
const mostNotes = 16;

/** The newest urgent notes of all releases in a changelog, the newest first: who upgrades may leave out some. */
export function urgentNotes(changelog: string): UrgentNote[] {
  const [, ...sections] = changelog.split(/^## /m);
  return sections.flatMap(notesOf).slice(0, mostNotes);
}

function notesOf(section: string): UrgentNote[] {
  const [version = ''] = section.split(' ');
  return section.split(/^### /m).flatMap((part) => {
    const [kind = '', ...lines] = part.split('\n');
    if (kind !== 'Before you upgrade' && kind !== 'Security') return [];
    return lines
      .filter((line) => line.startsWith('- '))
      .map((line) => ({ version, text: `${kind}: ${line.slice(2)}` }));
  });
}

/** Puts a section on top of the sections of a changelog. */
export function withSection(changelog: string, section: string): string {
  const place = changelog.search(/^## /m);
  return place < 0
    ? `${changelog.trimEnd()}\n\n${section}`
    : `${changelog.slice(0, place)}${section}\n${changelog.slice(place)}`;
}
