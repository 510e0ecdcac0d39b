import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

test('making folders that are removed at the same time fails with ENOENT alone, which is tried again', async () => {
  const root = await mkdtemp(join(tmpdir(), 'corral-folders-'));
  const [outer, inner] = [join(root, 'outer'), join(root, 'outer', 'inner')];
  const codes = new Set<string | undefined>();
  const make = () => makeFolder(inner).catch((error: NodeJS.ErrnoException) => codes.add(error.code));
  const remove = (folder: string) => rmdir(folder).catch(() => undefined);
  for (let round = 0; round < 1000; round += 1)
    await Promise.all([make(), remove(inner), make(), remove(outer), remove(inner), remove(outer), make()]);
  expect([...codes].filter((code) => code !== 'ENOENT')).toEqual([]);
});
