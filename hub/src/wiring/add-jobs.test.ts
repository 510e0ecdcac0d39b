import { expect, onTestFinished, test } from 'vitest';
import { callUrl } from '../../test/asset-scene.ts';
import { deletingAsset, hubWith, settingsOf } from '../../test/hub-with-settings.ts';
import { smtpInbox } from '../../test/smtp-inbox.ts';
import { doubleOfTest } from '../../test/two-hubs.ts';

test('a store that never answers a deletion does not keep a hub that stops from closing its devices', async () => {
  const store = await doubleOfTest();
  const { stop, database, invoke, connectedDevice } = await hubWith(settingsOf(store.settings));
  const device = await connectedDevice();
  await deletingAsset(store, invoke);
  const stoppedAtMs = performance.now();
  const stopped = stop();
  expect(await device.connection.closed).toMatchObject({ cause: 'peer', reason: 'the hub is stopping' });
  await stopped;
  expect(performance.now() - stoppedAtMs).toBeLessThan(15_000);
  // The store may still delete, so nobody else may have the asset yet.
  const lease = database.db.selectFrom('assets').select('upload_lease').executeTakeFirst();
  expect((await lease)?.upload_lease).toMatch(/^\//);
});

test('a mail server that does not answer does not keep a hub that stops from saying so at once', async () => {
  const [asked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const inbox = await smtpInbox({
    onMailFrom(_address, _session, answer) {
      asked.resolve();
      void release.promise.then(() => answer());
    },
  });
  const { url, stop, invoke, connectedDevice } = await hubWith({ CORRAL_SMTP_URL: inbox.url });
  onTestFinished(() => release.resolve());
  const device = await connectedDevice();
  const { userId } = await invoke('users_CreateUser', { email: 'ann@example.org' });
  await invoke('users_SendPasswordLink', { userId });
  await asked.promise;
  const stopped = stop();
  expect((await callUrl(new URL('/readyz', url).href)).status).toBe(503);
  expect(await device.connection.closed).toMatchObject({ cause: 'peer', reason: 'the hub is stopping' });
  release.resolve();
  await stopped;
  await inbox[Symbol.asyncDispose]();
  expect(inbox.mails).toHaveLength(1);
});
