import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changelogSection, readChanges, urgentNotes, withSection } from './changes.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'corral-changes-'));
  mkdirSync(join(root, 'changes'));
});
afterEach(() => rmSync(root, { recursive: true }));

const note = (name: string, text: string): void => writeFileSync(join(root, 'changes', name), text);

test('notes become a section by their kinds, what comes before an upgrade first', () => {
  note('b.md', 'Fixed: The list keeps\nits filter.\n');
  note('a.md', 'Fixed: The tab has a name.\n');
  note('c.md', 'Before you upgrade: Make a backup.\n');
  note('README.md', 'not a note');
  const { changes, problems } = readChanges(root);
  expect(problems).toEqual([]);
  expect(
    withSection(
      '# Changes\n\nText.\n\n## 1.0.0 (2026-01-01)\n',
      changelogSection('1.1.0', '2026-02-01', changes),
    ),
  ).toBe(
    [
      '# Changes\n\nText.\n',
      '## 1.1.0 (2026-02-01)\n',
      '### Before you upgrade\n\n- Make a backup.\n',
      '### Fixed\n\n- The tab has a name.\n- The list keeps its filter.\n',
      '## 1.0.0 (2026-01-01)\n',
    ].join('\n'),
  );
});

test('hubs are told the newest notes of all releases that are urgent or come before an upgrade', () => {
  note('a.md', 'Security: A link opens once.');
  note('b.md', 'Added: A map.');
  note('c.md', 'Before you upgrade: Make a backup.');
  const older = '# Changes\n\n## 1.0.0 (2026-01-01)\n\n### Security\n\n- An older fault.\n';
  const changelog = withSection(older, changelogSection('1.1.0', '2026-02-01', readChanges(root).changes));
  const notes = [
    { version: '1.1.0', text: 'Before you upgrade: Make a backup.' },
    { version: '1.1.0', text: 'Security: A link opens once.' },
    { version: '1.0.0', text: 'Security: An older fault.' },
  ];
  expect(urgentNotes(changelog)).toEqual(notes);
  const fixes = changelogSection('1.2.0', '2026-03-01', [
    { kind: 'Fixed', text: 'The list keeps its filter.' },
  ]);
  expect(urgentNotes(withSection(changelog, fixes))).toEqual(notes);
  const many = Array.from({ length: 20 }, () => ({ kind: 'Security', text: `${'a'.repeat(399)}.` }) as const);
  expect(urgentNotes(changelogSection('1.3.0', '2026-04-01', many))).toHaveLength(16);
  expect(urgentNotes('# Changes\n')).toEqual([]);
});

test.each([
  ['x.md', 'Improved: It is better.', 'A note begins with one of'],
  ['x.md', 'Fixed: It is better', 'A note ends with a full stop.'],
  ['x.md', `Fixed: ${'a'.repeat(400)}.`, 'at most 400 characters; this one has 401.'],
  ['x.md', 'Fixed: Two.\n- A list.', 'without headings and lists'],
  ['x.txt', 'Fixed: It is better.', 'ends with .md'],
])('a note %s is refused with the reason: %s', (name, text, message) => {
  note(name, text);
  expect(readChanges(root).problems).toEqual([
    { file: `changes/${name}`, message: expect.stringContaining(message) },
  ]);
});
