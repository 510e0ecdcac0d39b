import type { Id } from '@corral/contract';
import type { ChannelRequest } from '@corral/multiplex';
import { expect, test, vi } from 'vitest';
import { connectLink, deviceHeaders, isOpen } from '../../../test/device-client.ts';
import { gatewayOperations } from '../../../test/gateway-operations.ts';
import { gatewayScene } from '../../../test/gateway-scene.ts';
import { newDisk } from '../../../test/operation-agents.ts';

test('a command whose operation was cancelled while the device accepted its channel is not sent', async () => {
  await using scene = await gatewayScene();
  const operations = await gatewayOperations(scene);
  const requests: ChannelRequest[] = [];
  const { device } = await newDisk();
  const link = await connectLink(scene.url, deviceHeaders(device, scene.token), (request) => {
    requests.push(request);
  });
  if (!isOpen(link)) throw new Error(link.body.message);
  const rpc = await link.rpc();
  const { actor } = (await rpc.invoke('actor_GetActor', {})) as { actor: { deviceId: Id<'device'> } };
  const { deviceId } = actor;
  const value = { agent: { config: { commands: { enabled: true } } } };
  await rpc.invoke('devices_SetProperty', { deviceId, name: 'dev.nexigon.system.info', value });
  const id = await operations.run(deviceId);
  await vi.waitFor(() => expect(requests).toHaveLength(1), { timeout: 10_000 });
  await scene.hub.as(scene.owner, 'devices_CancelOperation', { deviceOperationId: id });
  const channel = requests[0]?.accept();
  expect(await channel?.read()).toBeNull();
  await vi.waitFor(
    async () => expect((await operations.get(id)).stepStates).toMatchObject([{ status: 'Skipped' }]),
    { timeout: 10_000 },
  );
});
