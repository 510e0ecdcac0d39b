import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { withDataDir } from './fixtures/hub-under-test.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';

test('exactly one of several concurrent hubs gets the lock', async () => {
  await withDataDir(async (folder) => {
    for (let round = 0; round < inject('figures').folderLocks; round += 1) {
      const attempts = Array.from({ length: 8 }, () => lockFolder(folder, folder));
      const outcomes = await Promise.allSettled(attempts);
      const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(winners.length).toBe(1);
      await (winners[0] as PromiseFulfilledResult<FolderLock>).value.release();
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

test('a released folder can be locked again', async () => {
  await withDataDir(async (folder) => {
    const first = await lockFolder(folder, '/srv/corral');
    const sentence = `CORRAL_DATA_DIR: the folder /srv/corral is in use by another running hub (process ${process.pid}).`;
    await expect(lockFolder(folder, '/srv/corral')).rejects.toThrow(sentence);
    await first.release();
    const second = await lockFolder(folder, '/srv/corral');
    await second.release();
  });
});

test('lock files of dead hubs are removed', async () => {
  await withDataDir(async (folder) => {
    await writeFile(join(folder, `hub-${process.pid}-000000000000.lock`), '');
    await writeFile(join(folder, 'hub-1-000000000000.claim'), '');
    const lock = await lockFolder(folder, folder);
    expect((await readdir(folder)).length).toBe(1);
    await lock.release();
  });
});

test('a live hub keeps the lock even if its process id is unknown here, as in another container', async () => {
  await withDataDir(async (folder) => {
    const elsewhere = createServer().listen(join(folder, 'hub-4194303-ffffffffffff.lock'));
    await once(elsewhere, 'listening');
    await expect(lockFolder(folder, folder)).rejects.toThrow(
      'in use by another running hub (process 4194303)',
    );
    elsewhere.close();
    await (await lockFolder(folder, folder)).release();
  });
});
