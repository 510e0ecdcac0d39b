import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import { seedAlert } from '../../../../test/seed-alert.ts';
import { seedProject } from '../../../../test/seed.ts';
import { newDatedRawId } from '../../../auth/random.ts';
import { DeleteOldPropertyChanges } from '../internal/DeleteOldPropertyChanges.ts';

const { hub, project, member, stranger, device } = deviceScene();

type Kind =
  | 'Connection'
  | 'Refusal'
  | 'Certificate'
  | 'Event'
  | 'Property'
  | 'Operation'
  | 'Alert'
  | 'Action';

const query = (more: { kinds?: Kind[]; before?: string; limit?: number; after?: string } = {}) =>
  hub.as(member, 'devices_QueryTimeline', { deviceId: device.deviceId, ...more });
const set = (name: string, value: unknown, actor = device.actor as never) =>
  hub.as(actor, 'devices_SetDeviceProperty', { deviceId: device.deviceId, name, value: value as never });
const changes = async () => (await query({ kinds: ['Property'] })).entries;
const publish = (bodies: readonly string[]) =>
  hub.as(device.actor, 'devices_PublishDeviceEvents', {
    deviceId: device.deviceId,
    events: bodies.map((body) => ({
      eventId: ids.deviceEvent.of(newDatedRawId(hub.now())),
      severity: 'Info',
      body,
      attributes: {},
      emittedAt: hub.now().toISOString(),
    })) as never,
  });

test('what happened to a device is told newest first, and who did it', async () => {
  const { deviceId } = device;
  hub.advance(1);
  await publish(['Batch pressed']);
  hub.advance(1);
  await set('mode', 'fast');
  hub.advance(1);
  await hub.as(project.owner, 'devices_SetDeviceName', { deviceId, name: 'Pump 7' });
  const { entries, counts } = await query();
  expect(entries.slice(0, 3)).toMatchObject([
    { kind: 'Action', title: 'Renamed to Pump 7', actor: { actor: 'User', userId: project.owner.userId } },
    { kind: 'Property', title: 'mode is fast' },
    { kind: 'Event', title: 'Batch pressed', data: { severity: 'Info' } },
  ]);
  for (const { kind, count } of counts ?? [])
    expect((await query({ kinds: [kind] })).entries).toHaveLength(count);
});

test('alerts about the device tell when they fired and when they ended, those of its project alone', async () => {
  const { deviceId } = device;
  const { alert, alertRule } = await seedAlert(hub, project, deviceId);
  const former = ids.project.raw((await seedProject(hub)).projectId);
  const elsewhere = await seedAlert(hub, project, deviceId);
  await sql`update alert_rules set project_id = ${former} where rule_id = ${ids.alertRule.raw(elsewhere.alertRule)}`.execute(
    hub.database.db,
  );
  hub.advance(60);
  const alerts = async () => (await query({ kinds: ['Alert'] })).entries;
  expect(await alerts()).toMatchObject([
    { title: 'Alert fired: x', detail: 'Warning', link: alertRule, data: { severity: 'Warning' } },
  ]);
  await sql`update alerts set state = 'Resolved', ended_at = ${hub.now()}, end_reason = 'RuleChanged' where alert_id = ${ids.alert.raw(alert)}`.execute(
    hub.database.db,
  );
  expect(await alerts()).toMatchObject([
    {
      title: 'Alert resolved: x',
      detail: 'The rule was changed or disabled.',
    },
    { title: 'Alert fired: x' },
  ]);
});

test('pages meet without a gap or a repetition, also where many happened at the same time', async () => {
  await publish(Array.from({ length: 7 }, (_, index) => `event ${index}`));
  await set('a', 1);
  await set('b', 2);
  const whole = (await query()).entries.map(({ entryId }) => entryId);
  const paged: string[] = [];
  for (let after: string | undefined; ;) {
    const page = await query({ limit: 3, ...(after === undefined ? {} : { after }) });
    paged.push(...page.entries.map(({ entryId }) => entryId));
    if (page.next === undefined) break;
    after = page.next;
  }
  expect(paged).toEqual(whole);
  expect(new Set(paged).size).toBe(whole.length);
});

test('a time to begin before leaves out what came later', async () => {
  await set('a', 1);
  const before = hub.now().toISOString();
  hub.advance(1);
  await set('b', 1);
  const { entries } = await query({ kinds: ['Property'], before });
  expect(entries).toEqual([]);
});

test('strangers see neither timeline nor presence', async () => {
  const { deviceId } = device;
  expect(await hub.refusal(stranger, 'devices_QueryTimeline', { deviceId })).toMatchObject({
    kind: 'Invalid',
  });
  expect(await hub.refusal(stranger, 'devices_GetPresence', { deviceId })).toMatchObject({
    kind: 'Invalid',
  });
});

test('a change tells what was, an equal value is none, and a removal is one', async () => {
  for (const [index, value] of ['slow', 'slow', 'fast'].entries()) {
    hub.advance(index);
    await set('mode', value, project.owner as never);
  }
  hub.advance(1);
  await hub.as(project.owner, 'devices_RemoveProperty', { deviceId: device.deviceId, name: 'mode' });
  expect(await changes()).toMatchObject([
    { title: 'mode removed' },
    { title: 'mode is fast, was slow', actor: { actor: 'User' } },
    { title: 'mode is slow' },
  ]);
});

test('numbers of a device within ten minutes are one change, and each of a person is its own', async () => {
  for (let value = 1; value <= 12; value += 1) {
    await set('celsius', value);
    hub.advance(60);
  }
  expect((await changes()).map(({ data }) => (data as { value: number }).value)).toEqual([12, 10]);
  expect((await changes())[1]?.until).toBeDefined();
  await set('celsius', 70, project.owner as never);
  hub.advance(60);
  await set('celsius', 71, project.owner as never);
  expect((await changes()).slice(0, 2).map(({ title }) => title)).toEqual([
    'celsius is 71, was 70',
    'celsius is 70, was 12',
  ]);
});

test('of an object the members that changed are kept, and of large ones only that they did', async () => {
  await set('site', { floor: 1, room: 'A' });
  hub.advance(1);
  await set('site', { floor: 2, room: 'A' });
  hub.advance(1);
  await set('site', { floor: 'x'.repeat(5_000), room: 'A' });
  const told = await changes();
  expect(told.map(({ title }) => title).slice(0, 2)).toEqual(['site changed', 'site: floor changed']);
  expect(told[1]?.data).toMatchObject({ value: { floor: 2 } });
});

test('a device keeps its newest 500 changes, and each for 90 days', async () => {
  for (let index = 0; index < 510; index += 1) {
    hub.advance(1);
    await set('state', `state ${index}`);
  }
  const count = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from device_property_changes where device_id = ${ids.device.raw(device.deviceId)}`.execute(
      hub.database.db,
    );
    return rows[0]?.count;
  };
  expect(await count()).toBe(500);
  expect((await changes())[0]?.title).toBe('state is state 509, was state 508');
  hub.advance(91 * 86_400);
  expect(await changes()).toEqual([]);
  await hub.run(DeleteOldPropertyChanges);
  expect(await count()).toBe(0);
}, 60_000);
