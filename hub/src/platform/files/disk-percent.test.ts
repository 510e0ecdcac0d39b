import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskPercentOf } from './disk-percent.ts';

test('says how full a disk is, as df does', async () => {
  const percent = diskPercentOf(tmpdir());
  expect(percent()).toBeUndefined();
  await expect.poll(percent).toBeTypeOf('number');
  const df = /(\d+)%/.exec(execFileSync('df', ['--output=pcent', tmpdir()]).toString());
  expect(Math.abs(Number(percent()) - Number(df?.[1]))).toBeLessThanOrEqual(1);
});

test('says nothing of a folder that is not there', async () => {
  const percent = diskPercentOf(join(tmpdir(), 'not', 'there'));
  percent();
  await new Promise((resolve) => setImmediate(resolve));
  expect(percent()).toBeUndefined();
});
