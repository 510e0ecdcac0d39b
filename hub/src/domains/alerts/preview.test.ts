import { ids, type CallInput, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newRawId } from '../../auth/random.ts';
import { freshExecutor, type FreshExecutor } from '../../../test/fresh-executor.ts';
import { seedDevice, seedMember, seedProject, seedUser, type SeededProject } from '../../../test/seed.ts';
import { seedWebhook } from '../../../test/seed-webhook.ts';

let hub: FreshExecutor;
let project: SeededProject;
beforeEach(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
});
afterEach(() => hub[Symbol.asyncDispose]());

const secsAgo = (secs: number) => new Date(hub.now().getTime() - secs * 1000);
const hour = 3_600;
const day = 24 * hour;

/** A connection of a device that has ended. */
const connectionOf = (deviceId: Id<'device'>, begun: number, ended: number, reason = 'Disconnected') =>
  sql`
    insert into device_connections (connection_id, device_id, node_id, connected_at, ended_at, end_reason)
    values (${newRawId()}, ${ids.device.raw(deviceId)}, ${newRawId()}, ${secsAgo(begun)}, ${secsAgo(ended)}, ${reason})`.execute(
    hub.database.db,
  );
/** A device that left so long ago. */
async function away(secs: number, name?: string) {
  const { deviceId } = await seedDevice(hub, project);
  if (name !== undefined) await hub.as(project.owner, 'devices_SetDeviceName', { deviceId, name });
  await sql`update all_devices set last_connected_at = ${secsAgo(secs + 60)}, last_seen_at = ${secsAgo(secs)} where device_id = ${ids.device.raw(deviceId)}`.execute(
    hub.database.db,
  );
  await connectionOf(deviceId, secs + 60, secs);
  return deviceId;
}
const preview = (condition: CallInput<'alerts_PreviewRule'>['condition'], as = project.owner) =>
  hub.as(as, 'alerts_PreviewRule', { projectId: project.projectId, condition });

test('a preview counts what would fire now and names it, for members too', async () => {
  await away(2 * hour, 'mill');
  await away(3 * hour, 'pump');
  await away(60, 'press');
  const member = await seedMember(hub, project);
  expect(await preview({ kind: 'Offline', forSecs: hour }, member)).toMatchObject({
    count: 2,
    names: ['pump', 'mill'],
  });
  expect(await preview({ kind: 'Offline', forSecs: hour, filter: 'name:mill' })).toMatchObject({ count: 1 });
  expect(await preview({ kind: 'Missing', forSecs: hour, percent: 100 })).toEqual({
    count: 1,
    names: ['3 of 3 devices'],
  });
  expect(await preview({ kind: 'Matching', forSecs: hour, filter: 'name:p*' })).toMatchObject({ count: 2 });
});

test('a preview names a device without a name by its hostname, and one without both by its id', async () => {
  const deviceId = await away(3 * hour);
  const given = { name: 'dev.nexigon.systemInfo', value: { hostname: 'rpi-4f2a' } };
  await hub.as(project.owner, 'devices_SetDeviceProperty', { deviceId: await away(2 * hour), ...given });
  const { names } = await preview({ kind: 'Offline', forSecs: hour });
  expect(names).toEqual([deviceId, 'rpi-4f2a']);
});

test('a preview counts the absences of each day that were long enough, without those that the hub caused', async () => {
  const deviceId = await away(60, 'pump');
  // Away for two hours, for a minute, and for two hours since the hub stopped.
  await connectionOf(deviceId, 3 * day, 2 * day);
  await connectionOf(deviceId, 2 * day - 2 * hour, day);
  await connectionOf(deviceId, day - 60, day / 2, 'ServerShutdown');
  await connectionOf(deviceId, day / 2 - 2 * hour, 3 * hour);
  const { days } = await preview({ kind: 'Offline', forSecs: hour });
  expect(days).toHaveLength(30);
  expect(days?.slice(-3)).toEqual([1, 0, 1]);
});

test('a preview refuses what no rule of the place can look for', async () => {
  const refusalOf = (condition: object) =>
    hub.refusal(project.owner, 'alerts_PreviewRule', { projectId: project.projectId, condition });
  expect(await refusalOf({ kind: 'Hub', percent: 90 })).toMatchObject({
    message: 'Only rules of the instance look at the hub.',
  });
  expect(await refusalOf({ kind: 'Offline', forSecs: 1, filter: 'colour:red' })).toMatchObject({
    kind: 'Invalid',
  });
  const admin = await seedUser(hub, 'admin@example.org', true);
  expect(await hub.as(admin, 'alerts_PreviewRule', { condition: { kind: 'Hub', percent: 90 } })).toEqual({
    count: 0,
    names: [],
  });
});

test('a test sends by each channel, and says to whom', async () => {
  const { webhook } = await seedWebhook(hub, project);
  await seedMember(hub, project);
  const { ruleId } = await hub.as(project.owner, 'alerts_CreateRule', {
    projectId: project.projectId,
    name: 'Pumps',
    condition: { kind: 'Offline', forSecs: 60 },
    severity: 'Warning',
    channels: { mails: 'Members', webhookIds: [webhook] },
  });
  hub.advance(60);
  const { mails, messages } = await hub.as(project.owner, 'alerts_TestRule', { ruleId });
  expect(mails).toBe(2);
  const { deliveries } = await hub.as(project.owner, 'projects_QueryWebhookDeliveries', {
    webhookId: webhook,
  });
  expect(deliveries[0]).toMatchObject({
    messageId: messages[0]?.messageId,
    type: 'alert.test',
    data: { ruleId, ruleName: 'Pumps', projectName: 'Plant', severity: 'Warning', count: 0, fired: [] },
  });
  expect(messages).toHaveLength(1);
});

test('a rule is tested twenty times in ten minutes, and then again', async () => {
  const { ruleId } = await hub.as(project.owner, 'alerts_CreateRule', {
    projectId: project.projectId,
    name: 'Pumps',
    condition: { kind: 'Offline', forSecs: 60 },
    severity: 'Warning',
    channels: { mails: 'Owners' },
  });
  for (let times = 0; times < 20; times += 1) await hub.as(project.owner, 'alerts_TestRule', { ruleId });
  expect(await hub.refusal(project.owner, 'alerts_TestRule', { ruleId })).toMatchObject({
    kind: 'Throttled',
    message: expect.stringContaining('Too many tests of this rule.'),
  });
  hub.advance(600);
  expect(await hub.as(project.owner, 'alerts_TestRule', { ruleId })).toMatchObject({ messages: [] });
});
