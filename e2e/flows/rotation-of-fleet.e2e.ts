import type { Id } from '@corral/contract';
import { expect, test } from '../fixtures/command-line.ts';
import { inDatabase } from '../fixtures/hub-database.ts';
import { newToken } from '../fixtures/operator.ts';
import type { Program } from '../fixtures/program.ts';

test('the certificates of a fleet are replaced while half of it is away: the others are replaced when they come in time, and go on with the old ones when they come too late', async ({
  hub,
  operator,
  project,
  devices,
  corral,
}) => {
  const { projectId } = project;
  const { token } = await newToken(operator, project);
  const newFleet = async (count: number) => {
    const device = await devices.make(hub, token);
    let program: Program = device.start('simulate', '--devices', String(count));
    return {
      stop: async () => void (await program.stop()),
      start: () => void (program = device.start('simulate', '--devices', String(count))),
    };
  };
  const listed = async () =>
    (await operator.invoke('projects_QueryProjectDevices', { projectId, limit: 100 })).devices;
  const idsAfter = async (count: number, before: readonly Id<'device'>[]): Promise<Id<'device'>[]> => {
    await expect.poll(async () => (await listed()).length).toBe(count);
    return (await listed()).map(({ deviceId }) => deviceId).filter((id) => !before.includes(id));
  };
  const here = await newFleet(20);
  const hereIds = await idsAfter(20, []);
  const inTime = await newFleet(10);
  const inTimeIds = await idsAfter(30, hereIds);
  const late = await newFleet(10);
  const lateIds = await idsAfter(40, [...hereIds, ...inTimeIds]);
  const certificatesOf = async (ids: readonly Id<'device'>[]) =>
    Promise.all(
      ids.map(async (deviceId) => {
        const { certificates } = await operator.invoke('devices_GetDeviceDetails', { deviceId });
        return certificates.map(({ status }) => status).toSorted();
      }),
    );
  const statesOf = async (ids: readonly Id<'device'>[]) => {
    const { rotations } = await operator.invoke('devices_QueryCertificateRotations', {
      projectId,
      limit: 100,
    });
    const newest = new Map(rotations.toReversed().map(({ deviceId, state }) => [deviceId, state]));
    return [...new Set(ids.map((id) => newest.get(id)))];
  };
  const rotate = async () => {
    const options = ['--project', projectId, '--on', 'all', '--grace', '1s', '--yes'];
    const { code, stderr } = await corral('certificates', 'rotate', ...options);
    expect(code, stderr).toBe(0);
  };
  /** Devices look for a window when they connect. */
  const comeAgain = async (fleet: typeof here): Promise<void> => {
    await fleet.stop();
    fleet.start();
  };
  await inTime.stop();
  await late.stop();
  await rotate();
  await expect.poll(() => statesOf([...hereIds, ...inTimeIds, ...lateIds])).toEqual(['Open']);

  await comeAgain(here);
  await expect.poll(() => statesOf(hereIds)).toEqual(['Completed']);
  expect(await statesOf([...inTimeIds, ...lateIds])).toEqual(['Open']);
  inTime.start();
  await expect.poll(() => statesOf(inTimeIds)).toEqual(['Completed']);
  await inDatabase(hub, `update certificate_rotations set until = now() where state = 'Open'`);
  await expect.poll(() => statesOf(lateIds)).toEqual(['Expired']);
  late.start();
  const seen = new Set<string>();
  const allAreSeen = async (): Promise<number> => {
    for (const { deviceId, isConnected } of await listed()) if (isConnected) seen.add(deviceId);
    return seen.size;
  };
  await expect.poll(allAreSeen).toBe(40);
  expect(new Set((await certificatesOf(lateIds)).flat())).toEqual(new Set(['Active']));
  expect(await certificatesOf([...hereIds, ...inTimeIds])).toEqual(
    Array.from({ length: 30 }, () => ['Active', 'Revoked']),
  );

  await rotate();
  await expect.poll(() => statesOf([...hereIds, ...inTimeIds, ...lateIds])).toEqual(['Open']);
  for (const fleet of [here, inTime, late]) await comeAgain(fleet);
  await expect.poll(() => statesOf([...hereIds, ...inTimeIds, ...lateIds])).toEqual(['Completed']);
  seen.clear();
  await expect.poll(allAreSeen).toBe(40);
});
