import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type AssetScene, callUrl, fileOf, sceneOfTest } from '../../../test/asset-scene.ts';
import { doubleOfTest, twoHubs } from '../../../test/two-hubs.ts';

const mebibyte = 1_048_576;

/** What the history says by now. */
async function servedOf({ hub, call, repositoryId }: AssetScene): Promise<number> {
  // The present minute is not recorded yet.
  hub.advance(180);
  const { servedBytes } = await call('repositories_QueryStoredBytes', { repositoryId, range: 'Day' });
  return servedBytes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}

test('what the nodes of a cluster served of a repository is the sum of what their clients got', async () => {
  const store = await doubleOfTest();
  const { scene, hubs } = await twoHubs(store.settings);
  await scene.useStore(store, { publicEndpoint: 'none' });
  const file = fileOf(300_000);
  const { pathname, search } = new URL(await scene.downloadUrl(await scene.upload(file)));
  for (const hub of hubs) {
    const get = (headers = {}, method = 'GET') => callUrl(hub.url + pathname + search, { headers, method });
    const head = await get({}, 'HEAD');
    const answers = [head, await get(), await get({ range: 'bytes=0-999' })];
    answers.push(
      await get({ range: 'bytes=0-9,500-509' }),
      await get({ 'if-none-match': head.headers.etag }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 206, 206, 304]);
  }
  const record = () => Promise.all(hubs.map(({ transfers }) => transfers.recordServed()));
  await record();
  await record();
  expect(await servedOf(scene)).toBe(2 * (300_000 + 1000 + 20));
});

test('of a download whose client left, only what was sent on counts', async () => {
  const scene = await sceneOfTest();
  const { hub } = scene;
  const size = 32 * mebibyte;
  const url = await scene.downloadUrl(await scene.upload(fileOf(size)));
  const call = request(url).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  await once(response, 'readable');
  call.destroy();
  await expect.poll(() => hub.transfers.counts.downloads).toBe(0);
  await hub.transfers.recordServed();
  const served = await servedOf(scene);
  expect(served).toBeGreaterThan(0);
  expect(served).toBeLessThan(size);
});

test('what could not be recorded is added the next time, and nothing of a deleted repository', async () => {
  const scene = await sceneOfTest({ hasOwnDatabase: true });
  const { hub, repositoryId } = scene;
  const url = await scene.downloadUrl(await scene.upload(fileOf(1000)));
  const { db } = hub.database;
  await callUrl(url);
  await sql`alter table history rename to moved`.execute(db);
  await expect(hub.transfers.recordServed()).rejects.toThrow();
  await sql`alter table moved rename to history`.execute(db);
  await callUrl(url);
  await hub.transfers.recordServed();
  expect(await servedOf(scene)).toBe(2000);
  await callUrl(url);
  await sql`delete from history`.execute(db);
  await scene.call('repositories_DeleteRepository', { repositoryId });
  await hub.transfers.recordServed();
  expect((await sql`select 1 from history where kind = 'Repository'`.execute(db)).rows).toEqual([]);
});
