import type { CallInput } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absentId } from '../../../../test/fresh-executor.ts';
import { fleetScene, ringOperation, type FleetScene } from '../../../../test/fleet-scene.ts';
import { seedDevice, seedProject } from '../../../../test/seed.ts';

let scene: FleetScene;
beforeAll(async () => {
  scene = await fleetScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

const refusal = async (input: Partial<CallInput<'fleet_CreateOperation'>>) =>
  (
    await scene.hub.refusal(scene.project.owner, 'fleet_CreateOperation', {
      projectId: scene.project.projectId,
      ...ringOperation,
      ...input,
    })
  ).message;
const found = async (fleetOperationId: Awaited<ReturnType<FleetScene['create']>>) => {
  const answer = await scene.hub.as(scene.project.owner, 'fleet_GetOperation', { fleetOperationId });
  if (answer.result !== 'Found') throw new Error('not found');
  return answer;
};
const command = (name: string, input = {}) => ({ kind: 'DeviceCommand' as const, command: name, input });

describe('a draft', () => {
  test('has what it was given, runs nowhere, and is in the list of its project', async () => {
    const fleetOperationId = await scene.create({ name: 'Ring', description: 'for the north' });
    const { summary, steps, stages, selector, stageStates } = await found(fleetOperationId);
    expect(summary).toMatchObject({
      name: 'Ring',
      description: 'for the north',
      status: 'Draft',
      stageCount: 3,
    });
    expect(summary.progress.total).toBe(0);
    expect(summary.createdBy).toEqual(scene.project.owner);
    expect(steps).toEqual(ringOperation.steps);
    expect(stages.map(({ percentage }) => percentage)).toEqual([1, 10, 100]);
    expect(selector).toEqual(ringOperation.selector);
    expect(stageStates).toEqual([]);
    const { projectId, owner } = scene.project;
    const listed = async (status?: 'Draft' | 'Running') =>
      (
        await scene.hub.as(owner, 'fleet_QueryOperations', {
          projectId,
          ...(status === undefined ? {} : { status: [status] }),
        })
      ).operations.map((one) => one.fleetOperationId);
    expect(await listed()).toContain(fleetOperationId);
    expect(await listed('Draft')).toContain(fleetOperationId);
    expect(await listed('Running')).toEqual([]);
    const { events } = await scene.hub.as(owner, 'fleet_QueryOperationEvents', { fleetOperationId });
    expect(events).toMatchObject([{ kind: 'Created', actor: owner }]);
  });

  test('shows no secret of a command that a device of the project offers', async () => {
    const { hub, project } = scene;
    const { actor, deviceId } = await seedDevice(hub, project);
    const offer = (commands: object[]) =>
      hub.as(actor, 'devices_SetDeviceProperty', {
        deviceId,
        name: 'dev.nexigon.commands',
        value: { commands } as never,
      });
    const input = { additionalProperties: { type: 'string', writeOnly: true } };
    await offer([{ name: 'sign-in', input }]);
    const id = await scene.create({ steps: [command('sign-in', { password: 'hunter2' })] });
    await offer([]);
    expect((await found(id)).steps).toEqual([command('sign-in', { password: '***' })]);
  });

  test('replaces the oldest one of a hundred', async () => {
    const first = await scene.create({ name: 'first' });
    for (let count = 0; count < 100; count += 1) {
      scene.hub.advance(1);
      await scene.create({});
    }
    const { owner } = scene.project;
    expect(await scene.hub.as(owner, 'fleet_GetOperation', { fleetOperationId: first })).toEqual({
      result: 'NotFound',
    });
  });

  test.each([
    ['an empty selection', { selector: { predicates: [], query: ' ' } }, /write the filter "all"/],
    ['an empty list of devices', { selector: { predicates: [], deviceIds: [] } }, /list of devices is empty/],
    [
      'a filter with a mistake',
      { selector: { predicates: [], query: 'nosuch:1' } },
      /there is no field "nosuch"/,
    ],
    ['no steps', { steps: [] }, /at least one step/],
    ['a command with a blank', { steps: [command('a b')] }, /"a b" is no name of a command/],
    [
      'stages that do not ascend',
      {
        stages: [
          { name: 'a', percentage: 20 },
          { name: 'b', percentage: 10 },
        ],
      },
      /must ascend/,
    ],
    ['one that stays open without an interval', { closeWhenConverged: false }, /needs an interval/],
  ])('is refused with %s', async (_what, input, sentence) => {
    expect(await refusal(input as never)).toMatch(sentence);
  });

  test('is refused with a device of another project, whose existence it does not tell', async () => {
    const own = await scene.addDevice({});
    const foreign = await seedDevice(scene.hub, await seedProject(scene.hub));
    const select = (...deviceIds: (typeof own)[]) => refusal({ selector: { predicates: [], deviceIds } });
    expect(await select(foreign.deviceId)).toBe('Device not found.');
    expect(await select(absentId('device'))).toBe('Device not found.');
    expect(await select(own, foreign.deviceId)).toBe(
      `Of the 2 devices 1 was not found: ${foreign.deviceId}.`,
    );
  });
});

describe('a preview', () => {
  test('names the devices that are left out and why, the stages and what changes', async () => {
    await using other = await fleetScene();
    const reboot = { name: 'reboot', input: { type: 'object', required: ['delaySecs'] } };
    for (const ring of ['stable', 'stable', 'canary'])
      await other.addDevice({ isConnected: true, properties: { ring }, commands: [reboot] });
    await other.addDevice({ isConnected: false, commands: [reboot] });
    const never = await other.addDevice({ name: 'Spare', commands: [reboot] });
    await other.addDevice({ isConnected: true, commands: [{ name: 'stop' }] });
    await other.addDevice({ isConnected: true });
    const set = await other.preview({});
    expect(set).toMatchObject({ matched: 7, eligible: 6, offline: 1, needsOwner: false, downloadBytes: 0 });
    expect(set.excluded).toEqual([
      { reason: 'Has never connected', count: 1, sample: [{ deviceId: never, name: 'Spare' }] },
    ]);
    expect(set.stages).toEqual([
      { name: '1 %', devices: 1 },
      { name: 'All', devices: 5 },
    ]);
    expect(set.changes).toEqual([
      { what: 'ring', to: 'canary', count: 3 },
      { what: 'ring', from: 'stable', to: 'canary', count: 2 },
      { what: 'ring', from: 'canary', to: 'canary', count: 1 },
    ]);
    const removal = await other.preview({ steps: [{ kind: 'RemoveDeviceProperty', name: 'ring' }] });
    expect(removal.changes).toContainEqual({ what: 'ring', from: 'stable', count: 2 });
    const run = await other.preview({ steps: [command('reboot', { delaySecs: 1 })] });
    expect(run).toMatchObject({ matched: 7, eligible: 4 });
    expect(Object.fromEntries(run.excluded.map(({ reason, count }) => [reason, count]))).toEqual({
      'Has never connected': 1,
      'Offers no command "reboot"': 1,
      'Cannot run commands': 1,
    });
    expect(run.warnings.join(' ')).toContain('cannot be undone');
    const unfit = await other.preview({ steps: [command('reboot', {})] });
    expect(unfit.eligible).toBe(0);
    expect(unfit.excluded[0]?.reason).toMatch(/^The input does not suit its command "reboot": .*delaySecs/);
  });

  test('has a hash that depends on the devices and the steps alone', async () => {
    await using other = await fleetScene();
    await other.addDevice({ isConnected: true, properties: { site: 'a' } });
    const first = await other.preview({});
    expect((await other.preview({ name: 'Other', maxInFlight: 7 })).previewHash).toBe(first.previewHash);
    expect(
      (await other.preview({ steps: [{ kind: 'RemoveDeviceProperty', name: 'ring' }] })).previewHash,
    ).not.toBe(first.previewHash);
    await other.create({ previewHash: first.previewHash });
    await other.addDevice({ isConnected: true });
    expect((await other.preview({})).previewHash).not.toBe(first.previewHash);
    const { owner, projectId } = other.project;
    const late = await other.hub.refusal(owner, 'fleet_CreateOperation', {
      projectId,
      ...ringOperation,
      previewHash: first.previewHash,
    });
    expect(late.message).toMatch(/no longer those of the preview/);
  });

  test('of more than ten devices needs an owner', async () => {
    await using other = await fleetScene();
    await other.addDevices(10);
    expect((await other.preview({})).needsOwner).toBe(false);
    await other.addDevices(1);
    expect((await other.preview({})).needsOwner).toBe(true);
  });
});
