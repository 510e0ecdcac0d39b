import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FilterError, filterErrorIn, ids } from '@corral/contract';
import { expect, onTestFinished, test } from 'vitest';
import type { Executor } from './executor.ts';
import { httpExecutor } from './http-executor.ts';

async function executorOf(serve: RequestListener): Promise<Executor> {
  const server = createServer(serve).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return httpExecutor({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

test('an answer that is cut off counts as an unreachable hub, like one that never begins', async () => {
  const executor = await executorOf((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"assetId":', () => response.destroy());
  });
  const assetId = ids.asset.of('1'.repeat(22));
  await expect(executor.invoke('repositories_GetAssetDetails', { assetId })).rejects.toMatchObject({
    kind: 'NotReady',
    message: 'The hub cannot be reached.',
  });
});

test('the mistake in a filter arrives with its place', async () => {
  const executor = await executorOf((_request, response) =>
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify(new FilterError('there is no field "siet".', 11).toBody())),
  );
  const refusal: unknown = await executor.invoke('devices_QueryDevices', {}).catch((error: unknown) => error);
  expect(filterErrorIn(refusal, 1)).toMatchObject({ at: 10 });
});
