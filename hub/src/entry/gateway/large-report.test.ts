import { maxRpcBodyBytes } from '@corral/multiplex';
import { expect, test } from 'vitest';
import { gatewayOperations } from '../../../test/gateway-operations.ts';
import { gatewayScene } from '../../../test/gateway-scene.ts';
import { connectAgent, newDisk } from '../../../test/operation-agents.ts';

test('the report of a step is recorded also where it is as large as a call may be', async () => {
  await using scene = await gatewayScene();
  const operations = await gatewayOperations(scene);
  const disk = await newDisk();
  const agent = await connectAgent(scene, disk, { commands: false, operations: false });
  const { deviceId } = agent;
  const id = await operations.run(deviceId);
  const [work] = await agent.claim();
  const of = { deviceId, deviceOperationId: id, stepIndex: 0, claimId: work?.claimId };
  const inputOf = (output: string) => ({ ...of, report: { status: 'Succeeded', output } });
  const output = 'x'.repeat(maxRpcBodyBytes - JSON.stringify(inputOf('')).length);
  const rpc = await agent.link.rpc();
  expect(await rpc.invoke('devices_ReportOperationStep', inputOf(output))).toEqual({});
  const { summary, stepStates } = await operations.get(id);
  expect(summary.status).toBe('Succeeded');
  expect(stepStates[0]?.output).toMatch(/^"x{1000}/);
});
