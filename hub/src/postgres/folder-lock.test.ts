import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withDataDir } from './fixtures/hub-under-test.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';

test('of many that enter at once exactly one gets the folder', async () => {
  await withDataDir(async (folder) => {
    for (let round = 0; round < 20; round += 1) {
      const entrants = Array.from({ length: 8 }, () => lockFolder(folder, folder));
      const outcomes = await Promise.allSettled(entrants);
      const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(winners.length).toBe(1);
      await (winners[0] as PromiseFulfilledResult<FolderLock>).value.release();
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

test('a folder that was released can be taken again', async () => {
  await withDataDir(async (folder) => {
    const first = await lockFolder(folder, '/srv/corral');
    const sentence = `CORRAL_DATA_DIR: the folder /srv/corral is in use by another running hub (process ${process.pid}).`;
    await expect(lockFolder(folder, '/srv/corral')).rejects.toThrow(sentence);
    await first.release();
    const second = await lockFolder(folder, '/srv/corral');
    await second.release();
  });
});

test('claims of dead hubs are cleared away', async () => {
  await withDataDir(async (folder) => {
    await writeFile(join(folder, `hub-${process.pid}-000000000000.lock`), '');
    await writeFile(join(folder, 'hub-1-000000000000.claim'), '');
    const lock = await lockFolder(folder, folder);
    expect((await readdir(folder)).length).toBe(1);
    await lock.release();
  });
});

test('a live hub keeps the folder even when its process id means nothing here', async () => {
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
