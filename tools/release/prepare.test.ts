import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkRelease, commitSecs } from './prepare.ts';
import { runTool } from './run-tool.ts';

let root: string;
const git = (...args: string[]): string =>
  runTool('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], root);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'corral-prepare-'));
  mkdirSync(join(root, 'changes'));
  writeFileSync(join(root, 'package.json'), '{"version":"1.9.0"}');
  writeFileSync(join(root, 'changes/a.md'), 'Added: A thing.\n');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
});
afterEach(() => rmSync(root, { recursive: true }));

test('a clean checkout with notes may become a greater version, and its files get the time of its commit', () => {
  expect(() => checkRelease(root, '1.10.0')).not.toThrow();
  expect(commitSecs(root)).toBe(Number(git('log', '-1', '--format=%ct')));
});

test.each(['1.9.0', '1.8.9', '0.10.0'])('the version %s is not greater', (version) => {
  expect(() => checkRelease(root, version)).toThrow(
    `${version} is not greater than 1.9.0, the present version.`,
  );
});

test('what is no version, a changed checkout, an existing tag, and missing or wrong notes are refused', () => {
  expect(() => checkRelease(root, '2.0')).toThrow('2.0 is no version: give three numbers, such as 1.2.0.');
  git('tag', 'v2.0.0');
  expect(() => checkRelease(root, '2.0.0')).toThrow('The tag v2.0.0 exists already.');
  writeFileSync(join(root, 'changes/b.md'), 'Nothing.');
  expect(() => checkRelease(root, '2.1.0')).toThrow('changes that are not committed');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Second');
  expect(() => checkRelease(root, '2.1.0')).toThrow('changes/b.md: A note begins with one of');
  git('rm', '--quiet', 'changes/a.md', 'changes/b.md');
  git('commit', '--quiet', '--message', 'Third');
  expect(() => checkRelease(root, '2.1.0')).toThrow('There is no note below changes/');
});
