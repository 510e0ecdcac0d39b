import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { fileOf } from '../../../test/asset-scene.ts';
import { appended, begun, doubleOfTest, twoHubs } from '../../../test/two-hubs.ts';
import { uploadPartBytes } from '../../domains/assets/storage/upload-parts.ts';

/** Resolves with the next request with this method to a server of this process. */
function nextRequest(method: string): Promise<IncomingMessage> {
  const started = Promise.withResolvers<IncomingMessage>();
  const onStart = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    if (request.method === method) started.resolve(request);
  };
  subscribe('http.server.request.start', onStart);
  onTestFinished(() => void unsubscribe('http.server.request.start', onStart));
  return started.promise;
}

test('a client whose upload waits for a slow store is not taken for one that stalls', async () => {
  const store = await doubleOfTest();
  const release = Promise.withResolvers<void>();
  store.profile.answersAfter = (operation) =>
    operation === 'UploadPart' ? release.promise : Promise.resolve();
  let [asked, aheadMs] = [0, 0];
  const nowMs = (): number => {
    asked += 1;
    return performance.now() + aheadMs;
  };
  const both = await twoHubs(store.settings, { nowMs, transferLimits: { checkEveryMs: 5 } });
  const file = fileOf(3 * uploadPartBytes);
  const { assetId, urls } = await begun(both, file);
  const received = nextRequest('PATCH');
  const sent = appended(urls[0], file, 0, file.bytes.length);
  const request = await received;
  // Two parts are in the hub and the store has neither, so the hub reads no further.
  await expect.poll(() => request.isPaused() && request.socket.bytesRead > 2 * uploadPartBytes).toBe(true);
  for (let round = 0; round < 3; round += 1) {
    aheadMs += 31_000;
    const before = asked;
    await expect.poll(() => asked).toBeGreaterThan(before + 3);
  }
  release.resolve();
  expect(await sent).toEqual([204, file.bytes.length]);
  await both.scene.mustServe(assetId, file);
});
