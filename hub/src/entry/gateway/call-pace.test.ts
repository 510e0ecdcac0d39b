import { ActionError, type Actor, type ErrorKind } from '@corral/contract';
import type { RpcClient } from '@corral/multiplex';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { absentId, userActor } from '../../../test/fresh-executor.ts';
import { deviceIdOf, gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import { countRefusedCalls } from '../../limits/bucket.ts';
import { CallPace, type PacedCall } from './serve-executor.ts';

const burst = 10;
const perSecond = 2;
const waitingAtMost = 5 * perSecond;
const audited = 'devices_IssueDeviceToken';

describe('the pace of calls', () => {
  const clock = { nowMs: 0 };
  let pace: CallPace;
  beforeEach(() => {
    clock.nowMs = 0;
    pace = new CallPace(countRefusedCalls(() => clock.nowMs));
  });

  const callerOf = (actor: Actor) => ({ actor, origin: {} });
  const device = (): Actor => ({ actor: 'Device', kind: 'Device', deviceId: absentId('device') }) as Actor;
  const one = callerOf(device());
  const user = callerOf(userActor(absentId('user')));
  const refuse = (turn: PacedCall, kind: ErrorKind = 'Forbidden') =>
    expect(turn.run(() => Promise.reject(new ActionError(kind, 'No.')))).rejects.toMatchObject({ kind });
  const succeed = (turn: PacedCall) => turn.run(async () => 'done');

  test('calls that devices make all the time are not counted', async () => {
    for (const name of ['devices_SetDeviceProperty', 'devices_PublishDeviceEvents', 'actor_GetActor'])
      for (let call = 0; call < 500; call += 1) await succeed(pace.next(one, name));
    expect(pace.next(one, audited).delayMs).toBe(0);
    expect(pace.count).toBe(0);
  });

  test.each([
    ['a device', one, burst, 500],
    ['a user', user, 60, 50],
  ])(
    'refused calls of %s count, whatever they ask for, and failures of the hub do not',
    async (_, caller, atOnce, intervalMs) => {
      for (let call = 0; call < 2 * atOnce; call += 1) {
        await refuse(pace.next(caller, 'devices_GetDeviceDetails'), 'NotReady');
        await refuse(pace.next(caller, 'devices_GetDeviceDetails'), 'Internal');
      }
      for (let call = 0; call < atOnce; call += 1)
        await refuse(pace.next(caller, 'devices_GetDeviceDetails'), 'Invalid');
      expect(pace.count).toBe(0);
      expect(pace.next(caller, 'actor_GetActor').delayMs).toBe(intervalMs);
    },
  );

  test('commands of a user that succeed do not count', async () => {
    for (let call = 0; call < 500; call += 1) await succeed(pace.next(user, audited));
    expect(pace.next(user, audited).delayMs).toBe(0);
  });

  test('a call that would wait for more than 5 s waits 5 s and is refused without being run', async () => {
    for (let call = 0; call < burst + waitingAtMost; call += 1) pace.next(one, audited);
    const [older, newer] = [pace.next(one, audited), pace.next(one, 'devices_SetProperty')];
    expect([older.delayMs, newer.delayMs]).toEqual([5_000, 5_000]);
    const work = vi.fn(async () => 'done');
    const message =
      'This device makes too many calls that are refused or recorded in the audit log. Try again in 5 seconds.';
    await expect(older.run(work)).rejects.toMatchObject({ kind: 'Throttled', message });
    await expect(newer.run(work)).rejects.toMatchObject({ kind: 'RateLimited', message });
    expect(work).not.toHaveBeenCalled();
  });
});

describe('over connections', () => {
  let scene: GatewayScene;
  beforeAll(async () => void (scene = await gatewayScene()));
  afterAll(() => scene[Symbol.asyncDispose]());

  const refused = (rpc: RpcClient) =>
    expect(rpc.invoke('projects_CreateProject', { name: 'Mine' })).rejects.toThrow();
  const rows = async ({ hub } = scene) => {
    const { count } = await hub.database.db
      .selectFrom('audit_actions')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('action', '=', 'projects_CreateProject')
      .executeTakeFirstOrThrow();
    return Number(count);
  };

  test('a call that waits when its connection ends is not run', async () => {
    const schedules = countRefusedCalls(() => 0);
    const paced = await gatewayScene({ refusedCalls: schedules });
    onTestFinished(() => paced[Symbol.asyncDispose]());
    const { device, deviceId } = await paced.oldAgent();
    for (let turn = 0; turn < burst + 1; turn += 1) schedules.devices.waitMs(deviceId);
    const [leaving, staying] = [
      await paced.connectDevice(device),
      await paced.connectDevice(device, paced.token, false),
    ];
    const channels = await Promise.all(Array.from({ length: 8 }, () => leaving.rpc()));
    const before = await rows(paced);
    const calls = channels.map((rpc) => refused(rpc));
    await vi.waitFor(() => expect(paced.gateway.pacedCalls).toBe(8));
    leaving.connection.close('');
    await Promise.all(calls);
    // Its turn is behind those of the others.
    await refused(await staying.rpc());
    expect(await rows(paced)).toBe(before + 1);
  });

  test('a device that leaves while its calls wait, instead of waiting, connects three times and then waits for that', async () => {
    const schedules = countRefusedCalls(() => 0);
    const paced = await gatewayScene({ refusedCalls: schedules, nowMs: () => 0 });
    onTestFinished(() => paced[Symbol.asyncDispose]());
    const { device, deviceId } = await paced.oldAgent();
    for (let turn = 0; turn < burst; turn += 1) schedules.devices.waitMs(deviceId);
    for (let connect = 1; connect <= 3; connect += 1) {
      const { connection, rpc } = await paced.connectDevice(device);
      const call = refused(await rpc());
      await vi.waitFor(() => expect(paced.gateway.pacedCalls).toBe(connect));
      connection.close('');
      await Promise.all([call, connection.closed]);
    }
    await expect(paced.connectDevice(device)).rejects.toThrow('This device connects too often.');
    // Who waits is not charged for it.
    const patient = await paced.oldAgent();
    for (let turn = 0; turn < burst; turn += 1) schedules.devices.waitMs(patient.deviceId);
    for (let connect = 1; connect <= 4; connect += 1) {
      const { connection, rpc } = await paced.connectDevice(patient.device);
      await refused(await rpc());
      connection.close('');
      await connection.closed;
    }
  });

  test('a device that the hub disconnects while its calls wait is not charged for it', async () => {
    const schedules = countRefusedCalls(() => 0);
    const paced = await gatewayScene({ refusedCalls: schedules, nowMs: () => 0 });
    onTestFinished(() => paced[Symbol.asyncDispose]());
    const { device, deviceId } = await paced.oldAgent();
    for (let turn = 0; turn < burst; turn += 1) schedules.devices.waitMs(deviceId);
    const links: Awaited<ReturnType<typeof paced.connectDevice>>[] = [];
    const calls: Promise<void>[] = [];
    // A fifth connection ends the oldest.
    for (let connect = 1; connect <= 4 + 6; connect += 1) {
      const link = await paced.connectDevice(device);
      links.push(link);
      calls.push(refused(await link.rpc()));
      await vi.waitFor(() => expect(paced.gateway.pacedCalls).toBe(connect));
    }
    await Promise.all(links.slice(0, 6).map(({ connection }) => connection.closed));
    for (const { connection } of links) connection.close('');
    await Promise.all(calls);
  });

  test('all links of a device count together, and another device does not wait', async () => {
    const still = await gatewayScene({ nowMs: () => 0 });
    onTestFinished(() => still[Symbol.asyncDispose]());
    const astray = await still.oldAgent();
    const [first, second] = [
      await still.connectDevice(astray.device),
      await still.connectDevice(astray.device, still.token, false),
    ];
    const links = [await first.rpc(), await second.rpc()];
    for (let call = 0; call < burst / 2; call += 1) for (const rpc of links) await refused(rpc);
    expect(still.gateway.pacedCalls).toBe(0);
    const startedAt = performance.now();
    expect(await links[0]!.invoke('actor_GetActor', {})).toMatchObject({ actor: { actor: 'Device' } });
    expect(performance.now() - startedAt).toBeGreaterThan(450);
    expect(still.gateway.pacedCalls).toBe(1);
    expect(await deviceIdOf(await still.connectDevice())).toMatch(/^d_/);
    expect(still.gateway.pacedCalls).toBe(1);
  });
});
