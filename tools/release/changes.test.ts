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

test('hubs are told what is urgent of a release, and what comes before an upgrade to it', () => {
  note('a.md', 'Security: A link opens once.\n');
  note('b.md', 'Added: A map.\n');
  note('c.md', 'Before you upgrade: Make a backup.\n');
  const section = changelogSection('1.1.0', '2026-02-01', readChanges(root).changes);
  const changelog = withSection(
    '# Changes\n\n## 1.0.0 (2026-01-01)\n\n### Security\n\n- An older fault.\n',
    section,
  );
  expect(urgentNotes(changelog, '1.1.0')).toBe(
    'Before you upgrade: Make a backup.\nSecurity: A link opens once.',
  );
  expect(urgentNotes(changelog, '1.0.0')).toBe('Security: An older fault.');
  expect(urgentNotes(changelog, '1.2.0')).toBe('');
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
