import { ids, type CallInput, type Id, type Output } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { absentId } from '../../../../test/fresh-executor.ts';
import { fleetScene, ringOperation, type FleetScene } from '../../../../test/fleet-scene.ts';
import { FleetDriver } from '../jobs/drive-operations.ts';

let scene: FleetScene;
let driver: FleetDriver;
beforeEach(async () => {
  scene = await fleetScene();
  driver = new FleetDriver(scene.hub.executor, console, () => scene.hub.now().getTime());
});
afterEach(() => scene[Symbol.asyncDispose]());

type Operation = Id<'fleetOperation'>;
const owner = () => scene.project.owner;
const start = (fleetOperationId: Operation) =>
  scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId });
const found = async (fleetOperationId: Operation) => {
  const answer = await scene.hub.as(owner(), 'fleet_GetOperation', { fleetOperationId });
  if (answer.result !== 'Found') throw new Error('not found');
  return answer;
};
const summaryOf = async (id: Operation) => (await found(id)).summary;
const targetsOf = async (
  fleetOperationId: Operation,
  input: Partial<CallInput<'fleet_QueryOperationTargets'>> = {},
): Promise<Output<'fleet_QueryOperationTargets'>['targets']> =>
  (await scene.hub.as(owner(), 'fleet_QueryOperationTargets', { fleetOperationId, ...input })).targets;
/** Lets everything go on that can, and then so many seconds pass. */
const settle = async (seconds = 60) => {
  while (await driver.tick());
  scene.hub.advance(seconds);
  while (await driver.tick());
};
const ofDevices = (...deviceIds: Id<'device'>[]) => ({ selector: { predicates: [], deviceIds } });
const oneStage = [{ name: 'All' }];
const command = { kind: 'DeviceCommand' as const, command: 'reboot', input: null };
const offers = [{ name: 'reboot' }];
/** Ends an operation on a device as its report would. */
const endAs = async (fleetOperationId: Operation, deviceId: Id<'device'>, status: 'Succeeded' | 'Failed') => {
  const { deviceOperationId, stepIndex } =
    (await targetsOf(fleetOperationId)).find((one) => one.deviceId === deviceId) ??
    expect.fail('the device is not in the operation');
  const tokenId = absentId('deploymentTokenId');
  const device = { actor: 'Device', kind: 'Device', deviceId, tokenId } as const;
  const claimed = await scene.hub.as(device, 'devices_ClaimOperationWork', { deviceId });
  const claimId = claimed.work[0]?.claimId ?? expect.fail('there is no work');
  await scene.hub.as(device, 'devices_ReportOperationStep', {
    deviceId,
    deviceOperationId,
    stepIndex,
    claimId,
    report: { status, ...(status === 'Failed' ? { error: 'exit code 7' } : {}) },
  });
};

describe('an operation', () => {
  test('goes through its stages by itself, each after the soak of the one before, and ends', async () => {
    const devices = await scene.addDevices(30);
    const id = await scene.create({});
    await start(id);
    await settle();
    expect(await summaryOf(id)).toMatchObject({
      status: 'Running',
      activeStageIndex: 0,
      stageCount: 3,
      progress: { total: 30, succeeded: 1 },
    });
    await settle(600);
    expect(await summaryOf(id)).toMatchObject({ activeStageIndex: 1, progress: { succeeded: 3 } });
    await settle(600);
    const { summary, stageStates } = await found(id);
    expect(summary).toMatchObject({
      status: 'Completed',
      progress: { total: 30, succeeded: 30, pending: 0 },
    });
    expect(stageStates.map((one) => one.devices)).toEqual([1, 2, 27]);
    const of = { deviceId: devices[0] as Id<'device'>, name: 'ring' };
    expect(await scene.hub.as(owner(), 'devices_GetDeviceProperty', of)).toMatchObject({ value: 'canary' });
    const finished = scene.hub.emittedEvents.filter(({ name }) => name === 'fleet_OperationFinished');
    expect(finished).toMatchObject([
      { data: { status: 'Completed', digest: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
  });

  test('runs on at most so many devices at the same time, and not on those that are away', async () => {
    for (let count = 0; count < 4; count += 1) await scene.addDevice({ isConnected: true, commands: offers });
    const away = await scene.addDevice({ isConnected: false, commands: offers });
    const id = await scene.create({ stages: oneStage, steps: [command], maxInFlight: 3 });
    await start(id);
    await settle();
    const { progress } = await summaryOf(id);
    expect(progress).toMatchObject({ total: 5, running: 3, pending: 2 });
    expect((await targetsOf(id, { status: ['Running'] })).map(({ deviceId }) => deviceId)).not.toContain(
      away,
    );
    expect(await targetsOf(id, { filter: 'not connected' })).toMatchObject([
      { deviceId: away, status: 'Pending' },
    ]);
  });

  test('pauses itself at the failure beyond its budget, and hands out nothing more', async () => {
    for (let count = 0; count < 12; count += 1)
      await scene.addDevice({ isConnected: true, commands: offers });
    const id = await scene.create({
      stages: oneStage,
      steps: [command],
      maxInFlight: 4,
      pauseOnFailurePercent: 10,
    });
    await start(id);
    await settle(1);
    const running = (await targetsOf(id, { status: ['Running'] })).map(({ deviceId }) => deviceId);
    await endAs(id, running[0] as Id<'device'>, 'Failed');
    await settle(1);
    expect(await summaryOf(id)).toMatchObject({ status: 'Running', progress: { running: 4, failed: 1 } });
    await endAs(id, running[1] as Id<'device'>, 'Failed');
    await settle(1);
    expect(await summaryOf(id)).toMatchObject({
      status: 'Paused',
      pauseReason: expect.stringContaining('1 of 12'),
      progress: { running: 3, failed: 2, pending: 7 },
    });
    const { groups } = await scene.hub.as(owner(), 'fleet_QueryFailureGroups', { fleetOperationId: id });
    const group = { text: 'exit code …', example: 'exit code 7', count: 2, status: 'Failed', stepIndex: 0 };
    expect(groups).toMatchObject([group]);
    await start(id);
    await settle(1);
    expect(await summaryOf(id)).toMatchObject({ status: 'Running', progress: { running: 4 } });
  });

  test('stays in a stage without auto-advance until a person lets it go on, past the guard only by force', async () => {
    await scene.addDevices(5);
    const inAnHour = new Date(scene.hub.now().getTime() + 3_600_000).toISOString();
    const id = await scene.create({
      stages: [
        {
          name: 'First',
          percentage: 50,
          guard: { minSuccessPercent: 100, gates: [{ kind: 'NotBefore', notBefore: inAnHour }] },
        },
        { name: 'Rest' },
      ],
    });
    await start(id);
    await settle(1000);
    expect(await summaryOf(id)).toMatchObject({
      status: 'Running',
      activeStageIndex: 0,
      progress: { succeeded: 3 },
    });
    const advance = (force?: boolean) =>
      scene.hub.as(owner(), 'fleet_AdvanceOperationStage', {
        fleetOperationId: id,
        ...(force === undefined ? {} : { force, reason: 'we hurry' }),
      });
    expect(await advance()).toMatchObject({
      result: 'GuardBlocked',
      successPercent: 100,
      failurePercent: 0,
      gates: [{ passed: false }],
    });
    expect(await advance(true)).toEqual({ result: 'Advanced' });
    await settle();
    expect(await summaryOf(id)).toMatchObject({ status: 'Completed' });
    const { events } = await scene.hub.as(owner(), 'fleet_QueryOperationEvents', { fleetOperationId: id });
    expect(events.find(({ kind }) => kind === 'StageAdvanced')).toMatchObject({
      data: { isForced: true, reason: 'we hurry' },
      actor: owner(),
    });
  });

  test('ends cancelled: what has not begun is cancelled, and nothing goes on', async () => {
    for (let count = 0; count < 3; count += 1) await scene.addDevice({ isConnected: true, commands: offers });
    const id = await scene.create({
      stages: oneStage,
      steps: [command, ...ringOperation.steps],
      maxInFlight: 1,
    });
    await start(id);
    await settle();
    await scene.hub.as(owner(), 'fleet_CancelOperation', { fleetOperationId: id });
    await settle();
    expect(await summaryOf(id)).toMatchObject({
      status: 'Cancelled',
      progress: { cancelled: 3, pending: 0, running: 0 },
      completedAt: expect.any(String),
    });
    expect((await scene.hub.refusal(owner(), 'fleet_StartOperation', { fleetOperationId: id })).message).toBe(
      'The operation is cancelled.',
    );
  });

  test('is not run again while it is being cancelled', async () => {
    await scene.addDevices(2);
    const id = await scene.create({ stages: oneStage });
    await start(id);
    await scene.hub.as(owner(), 'fleet_CancelOperation', { fleetOperationId: id });
    const retry = { fleetOperationId: id, which: ['Cancelled' as const] };
    expect((await scene.hub.refusal(owner(), 'fleet_RetryOperation', retry)).message).toMatch(
      /is being cancelled/,
    );
    await settle();
    await scene.hub.as(owner(), 'fleet_RetryOperation', retry);
    await settle();
    expect(await summaryOf(id)).toMatchObject({ status: 'Completed', progress: { succeeded: 2 } });
  });

  test('ends at once where its later stages have no devices', async () => {
    await scene.addDevices(1);
    const stages = [1, 10, 100].map((percentage) => ({ name: `${percentage}`, percentage, soakSecs: 600 }));
    const id = await scene.create({ stages });
    await start(id);
    await settle(1);
    expect(await summaryOf(id)).toMatchObject({
      status: 'Completed',
      stageCount: 3,
      progress: { succeeded: 1 },
    });
  });

  test('runs again on what failed, as further attempts, also after its end', async () => {
    const [first, second] = [
      await scene.addDevice({ isConnected: true, commands: offers }),
      await scene.addDevice({ isConnected: true, commands: offers }),
    ];
    const id = await scene.create({ stages: oneStage, steps: [command] });
    await start(id);
    await settle(1);
    await endAs(id, first, 'Failed');
    await endAs(id, second, 'Succeeded');
    await settle(1);
    expect(await summaryOf(id)).toMatchObject({
      status: 'Failed',
      progress: { total: 2, failed: 1, succeeded: 1 },
    });
    const retry = (input: Partial<CallInput<'fleet_RetryOperation'>> = {}) =>
      scene.hub.as(owner(), 'fleet_RetryOperation', { fleetOperationId: id, which: ['Failed'], ...input });
    const group = { text: 'another', status: 'Failed' as const, stepIndex: 0 };
    await expect(retry({ group })).rejects.toThrow('No device of the operation ended in one of these ways.');
    await expect(retry({ deviceIds: [second] })).rejects.toThrow('No device');
    expect(await retry({ group: { ...group, text: 'exit code …' } })).toEqual({ devices: 1 });
    await settle(1);
    expect(await summaryOf(id)).toMatchObject({
      status: 'Running',
      progress: { total: 2, running: 1, succeeded: 1 },
    });
    expect(await targetsOf(id, { status: ['Running'] })).toMatchObject([{ deviceId: first, attempt: 2 }]);
    await endAs(id, first, 'Succeeded');
    await settle(1);
    expect(await summaryOf(id)).toMatchObject({ status: 'Completed', progress: { total: 2, succeeded: 2 } });
  });

  test('forgives in a further attempt only failures that counted, and leaves the clock of what runs', async () => {
    const devices: Id<'device'>[] = [];
    for (let count = 0; count < 3; count += 1)
      devices.push(await scene.addDevice({ isConnected: true, commands: offers }));
    const [first, second] = devices as [Id<'device'>, Id<'device'>];
    const id = await scene.create({ stages: oneStage, steps: [command], pauseOnFailurePercent: 100 });
    await start(id);
    await settle(1);
    await endAs(id, first, 'Failed');
    await endAs(id, second, 'Failed');
    const { db } = scene.hub.database;
    // As if a node of the hub had ended the connection of the second one.
    await sql`update device_operations set counts_as_failure = false where device_id = ${ids.device.raw(second)}`.execute(
      db,
    );
    await sql`update fleet_operation_stages set failures = 1`.execute(db);
    const resumedAt = async () =>
      (await sql<{ at: string }>`select resumed_at as at from fleet_operations`.execute(db)).rows;
    const before = await resumedAt();
    scene.hub.advance(5);
    const retry = { fleetOperationId: id, which: ['Failed' as const] };
    await scene.hub.as(owner(), 'fleet_RetryOperation', { ...retry, deviceIds: [second] });
    expect((await found(id)).stageStates).toMatchObject([{ failures: 1 }]);
    await scene.hub.as(owner(), 'fleet_RetryOperation', { ...retry, deviceIds: [first] });
    expect((await found(id)).stageStates).toMatchObject([{ failures: 0 }]);
    expect(await resumedAt()).toEqual(before);
  });

  test('has selection errors where a condition cannot be decided, and fails in the end', async () => {
    const good = await scene.addDevice({ isConnected: true, properties: { slot: 3 } });
    const odd = await scene.addDevice({ isConnected: true, properties: { slot: 'three' } });
    await scene.addDevice({ isConnected: true, properties: { slot: 9 } });
    const predicate = {
      kind: 'LessThan' as const,
      left: { kind: 'NamedValue' as const, name: 'slot' },
      right: { kind: 'Literal' as const, value: 5 },
    };
    const id = await scene.create({ stages: oneStage, selector: { predicates: [predicate] } });
    const preview = await scene.preview({ selector: { predicates: [predicate] } });
    expect(preview).toMatchObject({
      matched: 2,
      eligible: 1,
      excluded: [{ count: 1, sample: [{ deviceId: odd }] }],
    });
    await start(id);
    await settle();
    expect((await targetsOf(id)).map(({ deviceId }) => deviceId)).toEqual([good]);
    const { errors } = await scene.hub.as(owner(), 'fleet_QueryOperationSelectionErrors', {
      fleetOperationId: id,
    });
    expect(errors).toMatchObject([{ deviceId: odd, error: expect.stringContaining('order') }]);
    expect(await summaryOf(id)).toMatchObject({
      status: 'Failed',
      selectionErrors: 1,
      progress: { succeeded: 1 },
    });
  });
});

describe('a start', () => {
  test('is refused where the selection differs from the preview, with the devices that joined and left', async () => {
    await scene.addDevices(3);
    const gone = await scene.addDevice({ name: 'Old pump', isConnected: true });
    const { previewHash } = await scene.preview({});
    const id = await scene.create({ previewHash });
    await scene.addDevice({ name: 'New pump', isConnected: true });
    await scene.hub.as(owner(), 'devices_DeleteDevice', { deviceId: gone });
    const { message } = await scene.hub.refusal(owner(), 'fleet_StartOperation', { fleetOperationId: id });
    expect(message).toMatch(/1 device joined \(New pump\); 1 device left \(/);
    expect(await summaryOf(id)).toMatchObject({ status: 'Draft', progress: { total: 0 } });
  });

  test('is refused where no device could do it, with the devices and why', async () => {
    const refusal = async (input: Partial<CallInput<'fleet_CreateOperation'>>) => {
      const id = await scene.create(input);
      const { message } = await scene.hub.refusal(owner(), 'fleet_StartOperation', { fleetOperationId: id });
      expect(await summaryOf(id)).toMatchObject({ status: 'Draft', progress: { total: 0 } });
      return message;
    };
    const none = 'There is no device on which this could run.';
    expect(await refusal({})).toBe(`${none} None is selected. Nothing was started.`);
    const schema = { properties: { delaySecs: { type: 'integer' } } };
    await scene.addDevice({
      name: 'Pump 1',
      isConnected: true,
      commands: [{ name: 'reboot', input: schema }],
    });
    await scene.addDevice({ name: 'Pump 2', isConnected: undefined, properties: { slot: 'three' } });
    expect(await refusal({ steps: [{ ...command, command: 'explode' }] })).toBe(
      `${none} Has never connected (Pump 2); Offers no command "explode" (Pump 1). Nothing was started.`,
    );
    expect(await refusal({ steps: [{ ...command, input: { delaySecs: 'soon' } }] })).toMatch(
      /Has never connected \(Pump 2\); The input does not suit its command "reboot": .*delaySecs.* \(Pump 1\)\. Nothing was started\.$/,
    );
    const left = { kind: 'NamedValue' as const, name: 'slot' };
    const predicates = [{ kind: 'LessThan' as const, left, right: { kind: 'Literal' as const, value: 5 } }];
    expect(await refusal({ selector: { predicates } })).toBe(
      `${none} A condition could not be decided (Pump 1, Pump 2). Nothing was started.`,
    );
  });

  test('on more than ten devices is for owners', async () => {
    const devices = await scene.addDevices(11);
    const all = await scene.create({});
    const few = await scene.create(ofDevices(...devices.slice(0, 10)));
    const by = (fleetOperationId: Operation) => ({ fleetOperationId });
    expect(await scene.hub.refusal(scene.member, 'fleet_StartOperation', by(all))).toMatchObject({
      kind: 'Forbidden',
    });
    await scene.hub.as(scene.member, 'fleet_StartOperation', by(few));
    await start(all);
    expect(await scene.hub.refusal(scene.member, 'fleet_CancelOperation', by(all))).toMatchObject({
      kind: 'Forbidden',
    });
    await scene.hub.as(scene.member, 'fleet_PauseOperation', by(all));
    expect(await scene.hub.refusal(scene.member, 'fleet_StartOperation', by(all))).toMatchObject({
      kind: 'Forbidden',
    });
    await scene.hub.as(scene.member, 'fleet_CancelOperation', by(few));
  });
});

test('the ids that the database makes are ids', async () => {
  await scene.addDevices(200);
  const id = await scene.create({});
  await start(id);
  const { rows } = await sql<{ id: string }>`select device_operation_id as id from device_operations`.execute(
    scene.hub.database.db,
  );
  expect(new Set(rows.map((row) => row.id)).size).toBe(200);
  for (const row of rows)
    expect(ids.deviceOperation.schema.safeParse(ids.deviceOperation.of(row.id)).success).toBe(true);
});
