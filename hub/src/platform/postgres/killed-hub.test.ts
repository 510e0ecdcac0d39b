import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  waitUntil,
  clusterIsGone,
  clusterProcesses,
  query,
  recordingLog,
  startHubProcess,
  withDatabase,
  withDataDir,
  withPostgres,
} from './fixtures/hub-under-test.ts';
import { startPostgres } from './start-postgres.ts';

test('a killed hub leaves no server running', async () => {
  await withDatabase(async (dataDir) => {
    const hub = startHubProcess(dataDir);
    await once(hub, 'ready');
    expect((await clusterProcesses(dataDir)).length).toBeGreaterThan(1);
    await hub.kill();
    await clusterIsGone(dataDir);
  });
});

test('the next hub starts at once after a kill', async () => {
  await withDatabase(async (dataDir) => {
    for (let round = 0; round < 3; round += 1) {
      const hub = startHubProcess(dataDir);
      await once(hub, 'ready');
      await hub.kill();
    }
    await withPostgres(dataDir, async ({ connection }) => {
      expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });
});

test('a second hub on the same folder is refused and does no harm', async () => {
  await withDatabase(async (dataDir) => {
    const hub = startHubProcess(dataDir);
    const [ready] = (await once(hub, 'ready')) as [string];
    const sentence = `CORRAL_DATA_DIR: the folder ${dataDir} is in use by another running hub (process ${hub.child.pid}).`;
    await expect(startPostgres({ dataDir, log: recordingLog() })).rejects.toThrow(sentence);
    const second = startHubProcess(dataDir);
    expect(await once(second, 'refused')).toEqual([sentence]);
    const connection = JSON.parse(ready.slice(ready.indexOf(' ')));
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await hub.kill();
    await clusterIsGone(dataDir);
  });
});

test.for(['cluster.unfinished-', 'PG_VERSION', 'postgresql.auto.conf', 'password'])(
  'a hub that is killed while it creates the database (at %s) leaves a folder that the next one can use',
  async (stage) => {
    await withDataDir(async (dataDir) => {
      const hub = startHubProcess(dataDir);
      await waitUntil(() => hasReached(dataDir, stage));
      await hub.kill();
      await withPostgres(dataDir, async ({ connection }) => {
        expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      });
      const left = await readdir(join(dataDir, 'postgres'));
      expect(left.filter((name) => name.includes('unfinished'))).toEqual([]);
      expect((await readFile(join(dataDir, 'postgres', 'password'), 'utf8')).length).toBe(43);
    });
  },
);

/** Whether initdb has created this file. */
async function hasReached(dataDir: string, stage: string): Promise<boolean> {
  const root = join(dataDir, 'postgres');
  const names = await readdir(root).catch(() => []);
  const unfinished = names.find((name) => name.startsWith('cluster.unfinished-'));
  const inside = unfinished ? await readdir(join(root, unfinished)).catch(() => []) : [];
  return [...names, ...inside].some((name) =>
    stage.endsWith('-') ? name.startsWith(stage) : name === stage,
  );
}
