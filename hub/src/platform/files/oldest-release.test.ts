import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../log/log.ts';
import { noteOldestRelease } from './oldest-release.ts';

test('a disk that is full leaves the oldest release as it was noted before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'corral-oldest-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = createLog({ level: 'silent', format: 'json' });
  const noted = (): Promise<string> => readFile(join(folder, 'oldest-release'), 'utf8');
  await noteOldestRelease(folder, '1.0.0', log);
  expect(await noted()).toBe('1.0.0\n');
  await symlink('/dev/full', join(folder, 'oldest-release.unfinished'));
  await noteOldestRelease(folder, '1.1.0', log);
  expect(await noted()).toBe('1.0.0\n');
  await noteOldestRelease(folder, '1.1.0', log);
  expect([await noted(), await readdir(folder)]).toEqual(['1.1.0\n', ['oldest-release']]);
});
