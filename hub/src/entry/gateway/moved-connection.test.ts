import { expect, test, vi } from 'vitest';
import { RegisterClusterNode } from '../../domains/instance/internal/RegisterClusterNode.ts';
import { TakeStep } from '../../domains/operations/internal/TakeStep.ts';
import { gatewayOperations } from '../../../test/gateway-operations.ts';
import { gatewayScene } from '../../../test/gateway-scene.ts';
import { connectAgent, newDisk } from '../../../test/operation-agents.ts';

test('a command is not lost when its node gets another id while the step is handed out', async () => {
  await using scene = await gatewayScene();
  const operations = await gatewayOperations(scene);
  const disk = await newDisk();
  const ends = Promise.withResolvers<object>();
  disk.commands.set('touch', () => ends.promise);
  const agent = await connectAgent(scene, disk, { operations: false });
  const { executor } = scene.hub;
  const { run } = executor;
  const again = (await scene.hub.run(RegisterClusterNode, { name: 'again' })).nodeId;
  executor.run = async (caller, handler, ...input) => {
    const answer = await run(caller, handler, ...input);
    if (handler.name === TakeStep.name && answer !== undefined) {
      executor.run = run;
      scene.moveToNode(again);
      await scene.gateway.reregister();
    }
    return answer;
  };
  const id = await operations.run(agent.deviceId);
  await vi.waitFor(() => expect(disk.effects).toHaveLength(1), { timeout: 10_000 });
  const { deviceId } = agent;
  const open = { deviceId, activeOnly: true };
  const connections = async () =>
    (await scene.hub.as(scene.owner, 'devices_QueryConnections', open)).connections;
  await vi.waitFor(async () => expect(await connections()).toHaveLength(1), { timeout: 10_000 });
  await operations.tick(10);
  await operations.tick(14);
  ends.resolve({ output: 'true result' });
  expect((await operations.ended(id)).stepStates).toMatchObject([
    { status: 'Succeeded', output: 'true result' },
  ]);
});
