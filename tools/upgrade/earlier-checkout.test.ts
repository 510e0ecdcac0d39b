import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runTool } from '../release/run-tool.ts';
import { newestRelease } from './earlier-checkout.ts';

test('the newest release is that of the changelog before the present commit, and a clone has to have its tag', () => {
  const folder = mkdtempSync(join(tmpdir(), 'corral-releases-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [root, clone] = [join(folder, 'root'), join(folder, 'clone')];
  const git = (...args: string[]): string =>
    runTool('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], root);
  const commit = (...versions: string[]): void => {
    const sections = versions.map((version) => `## ${version} (2026-01-01)\n\nText.\n`);
    writeFileSync(join(root, 'CHANGELOG.md'), ['# Changes\n', ...sections].join('\n'));
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'Change');
  };
  runTool('git', ['init', '--quiet', root], folder);
  commit();
  expect(newestRelease(root)).toBeUndefined();
  commit('1.0.0');
  git('tag', 'v1.0.0');
  expect(newestRelease(root)).toBeUndefined();
  commit('1.1.0', '1.0.0');
  git('tag', '--annotate', '--message', 'Corral 1.1.0', 'v1.1.0');
  expect(newestRelease(root)).toBe('v1.0.0');
  commit('1.1.0', '1.0.0');
  expect(newestRelease(root)).toBe('v1.1.0');
  runTool('git', ['clone', '--quiet', '--no-tags', '--depth', '1', `file://${root}`, clone], folder);
  expect(() => newestRelease(clone)).toThrow(
    'CHANGELOG.md has the release 1.1.0, and this clone lacks its tag v1.1.0: git fetch --tags.',
  );
});
