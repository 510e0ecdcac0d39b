import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ids } from '@corral/contract';
import { expect, onTestFinished, test } from 'vitest';
import { httpExecutor } from './http-executor.ts';

test('an answer that is cut off counts as an unreachable hub, like one that never begins', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"assetId":', () => response.destroy());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(
    httpExecutor({ baseUrl }).invoke('repositories_GetAssetDetails', {
      assetId: ids.asset.of('1'.repeat(22)),
    }),
  ).rejects.toMatchObject({
    kind: 'NotReady',
    message: 'The hub cannot be reached.',
  });
});
