import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PartialFile } from './partial-file.ts';

const digest = `sha256_${'ab'.repeat(32)}`;
let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'corral-partial-'))));
afterEach(() => rm(folder, { recursive: true }));

test('two downloads of one asset to one target both end well, whichever is first', async () => {
  const target = join(folder, 'press.img');
  const [first, second] = [await PartialFile.open(target, digest), await PartialFile.open(target, digest)];
  expect([first.isResumed, second.isResumed]).toEqual([false, true]);
  for (const file of [first, second]) await file.write(Buffer.from('the same bytes'), 0);
  await first.finish();
  await second.finish();
  expect(await readFile(target, 'utf8')).toBe('the same bytes');
  expect(await readdir(folder)).toEqual(['press.img']);
});

test('a partial file that somebody removed is an error, also where an older target is', async () => {
  const target = join(folder, 'press.img');
  const older = await PartialFile.open(target, `sha256_${'cd'.repeat(32)}`);
  await older.finish();
  const file = await PartialFile.open(target, digest);
  await rm(file.path);
  await expect(file.finish()).rejects.toThrow('cannot be written');
  await file.close();
});

test('a folder that is gone is an error that says so', async () => {
  const inner = join(folder, 'inner');
  await mkdir(inner);
  const file = await PartialFile.open(join(inner, 'press.img'), digest);
  await rename(inner, join(folder, 'elsewhere'));
  await expect(file.finish()).rejects.toThrow('its folder is not there');
  await file.close();
});
