import { ids, type CallInput } from '@corral/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../test/fresh-executor.ts';
import { seedAlert } from '../../../test/seed-alert.ts';
import { seedDevice, seedMember, seedProject, type SeededProject } from '../../../test/seed.ts';

let hub: FreshExecutor;
let project: SeededProject;
beforeAll(async () => {
  hub = await freshExecutor();
});
afterAll(() => hub[Symbol.asyncDispose]());
beforeEach(async () => {
  project = await seedProject(hub);
});

const inAnHour = () => new Date(hub.now().getTime() + 3_600_000).toISOString();
/** A mute of the project, by default for an hour. */
const muteOf = (set: Partial<CallInput<'alerts_Mute'>> = {}): CallInput<'alerts_Mute'> => ({
  projectId: project.projectId,
  ...(set.window === undefined ? { until: inAnHour() } : {}),
  ...set,
});
const mutesOf = async () =>
  (await hub.as(project.owner, 'alerts_QueryMutes', { projectId: project.projectId })).mutes;
const isMuted = async () => {
  const { alerts } = await hub.as(project.owner, 'alerts_QueryAlerts', { projectId: project.projectId });
  return alerts.map((alert) => alert.isMuted);
};

/** A project with a device whose alert fires, without mutes. */
async function firing() {
  const { deviceId } = await seedDevice(hub, project);
  const { alertRule: ruleId, alertMute: muteId } = await seedAlert(hub, project, deviceId);
  await hub.as(project.owner, 'alerts_Unmute', { muteId });
  return { deviceId, ruleId };
}

test('an alert is muted by its rule, its device, a filter that finds the device, or all', async () => {
  const { deviceId, ruleId } = await firing();
  const name = 'pump';
  await hub.as(project.owner, 'devices_SetDeviceName', { deviceId, name });
  expect(await isMuted()).toEqual([false]);
  for (const set of [{}, { ruleId }, { deviceId }, { filter: 'name:pump' }, { ruleId, filter: 'all' }]) {
    const { muteId } = await hub.as(project.owner, 'alerts_Mute', muteOf(set));
    expect(await isMuted()).toEqual([true]);
    await hub.as(project.owner, 'alerts_Unmute', { muteId });
    expect(await isMuted()).toEqual([false]);
  }
  await hub.as(project.owner, 'alerts_Mute', muteOf({ filter: 'name:mill' }));
  await hub.as(project.owner, 'alerts_Mute', muteOf({ ruleId, filter: 'not name:pump' }));
  expect(await isMuted()).toEqual([false]);
});

test('a mute of a device without a name shows its hostname', async () => {
  const { deviceId } = await firing();
  const given = { name: 'dev.nexigon.systemInfo', value: { hostname: 'rpi-4f2a' } };
  await hub.as(project.owner, 'devices_SetDeviceProperty', { deviceId, ...given });
  await hub.as(project.owner, 'alerts_Mute', muteOf({ deviceId }));
  expect(await mutesOf()).toMatchObject([{ deviceId, deviceName: 'rpi-4f2a' }]);
});

test('what is muted until a time is not listed after it', async () => {
  const { deviceId, ruleId } = await firing();
  await hub.as(project.owner, 'alerts_Mute', muteOf({ ruleId, deviceId, reason: 'They paint the hall.' }));
  expect(await mutesOf()).toMatchObject([
    { ruleId, ruleName: 'x', deviceId, reason: 'They paint the hall.' },
  ]);
  hub.advance(3_601);
  expect(await mutesOf()).toEqual([]);
  expect(await isMuted()).toEqual([false]);
});

test('what is muted in a window of each day is muted in it, in the time of its place', async () => {
  const { ruleId } = await firing();
  // It is noon of UTC or a little later, and so in Berlin after one.
  const window = { from: '13:00', to: '20:00', timeZone: 'Europe/Berlin' };
  await hub.as(project.owner, 'alerts_Mute', muteOf({ ruleId, window }));
  expect(await isMuted()).toEqual([true]);
  const { rules } = await hub.as(project.owner, 'alerts_QueryRules', { projectId: project.projectId });
  expect(rules).toMatchObject([{ ruleId, mutedUntil: '2026-11-20T19:00:00.000Z' }]);
  hub.advance(8 * 3_600);
  expect(await isMuted()).toEqual([false]);
});

test('members mute devices; a rule, and all of a project, only owners', async () => {
  const { deviceId, ruleId } = await firing();
  const member = await seedMember(hub, project);
  await hub.as(member, 'alerts_Mute', muteOf({ deviceId }));
  await hub.as(member, 'alerts_Mute', muteOf({ filter: 'name:pump' }));
  for (const set of [{}, { ruleId }, { filter: 'all' }, { filter: ' ' }])
    expect(await hub.refusal(member, 'alerts_Mute', muteOf(set))).toEqual({
      kind: 'Forbidden',
      message: 'Only an owner of the project may do this.',
    });
  const { muteId } = await hub.as(project.owner, 'alerts_Mute', muteOf({ filter: 'all' }));
  expect(await hub.refusal(member, 'alerts_Unmute', { muteId })).toMatchObject({ kind: 'Forbidden' });
  expect(await mutesOf()).toHaveLength(3);
});

test('rules and devices of other projects are not found', async () => {
  const other = await seedProject(hub);
  const { deviceId } = await seedDevice(hub, other);
  const { alertRule: ruleId } = await seedAlert(hub, other, deviceId);
  for (const [set, message] of [
    [{ ruleId }, 'Alert rule not found.'],
    [{ deviceId }, 'Device not found.'],
  ] as const)
    expect(await hub.refusal(project.owner, 'alerts_Mute', muteOf(set))).toEqual({
      kind: 'Invalid',
      message,
    });
});

test.each<[string, () => object, string]>([
  [
    'in the past',
    () => ({ until: hub.now().toISOString() }),
    'It can be muted until a time in the future only.',
  ],
  [
    'without an end',
    () => ({ until: undefined }),
    'Give a time until which it is muted, or a window of each day: one of both.',
  ],
  ['with a mistake in its filter', () => ({ filter: 'colour:red' }), 'colour'],
])('a mute %s is refused', async (_, set, sentence) => {
  const { kind, message } = await hub.refusal(project.owner, 'alerts_Mute', { ...muteOf(), ...set() });
  expect({ kind, message }).toEqual({ kind: 'Invalid', message: expect.stringContaining(sentence) });
});

test('a project has at most 100 mutes, of which those that have ended do not count', async () => {
  const { deviceId } = await seedDevice(hub, project);
  for (let number = 0; number < 100; number += 1)
    await hub.as(project.owner, 'alerts_Mute', muteOf({ deviceId }));
  expect(await hub.refusal(project.owner, 'alerts_Mute', muteOf({ deviceId }))).toEqual({
    kind: 'Invalid',
    message: 'At most 100 mutes may be there at the same time. End one first.',
  });
  hub.advance(3_601);
  const { muteId } = await hub.as(project.owner, 'alerts_Mute', muteOf({ deviceId }));
  expect(ids.alertMute.raw(muteId)).toHaveLength(22);
});
