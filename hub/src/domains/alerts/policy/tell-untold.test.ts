import { alertMessage, type CallInput, ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { alertScene, type AlertScene } from '../../../../test/alert-scene.ts';
import { seedMember, seedUser } from '../../../../test/seed.ts';
import { systemCaller } from '../../../calls/handler.ts';
import { LookAtRule } from '../internal/LookAtRule.ts';

let scene: AlertScene;
beforeEach(async () => {
  scene = await alertScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

const minute = { kind: 'Offline', forSecs: 60 } as const;
const mute = (given: Omit<CallInput<'alerts_Mute'>, 'projectId'>) =>
  scene.hub.as(scene.project.owner, 'alerts_Mute', { projectId: scene.project.projectId, ...given });
const inHours = (hours: number) => new Date(scene.hub.now().getTime() + hours * 3_600_000).toISOString();

/** The time of the hub's clock becomes this one. */
const setTime = async (at: string) => {
  scene.hub.advance((Date.parse(at) - scene.hub.now().getTime()) / 1000);
  await sql`update alert_watch set watched_at = ${scene.hub.now()}, resumed_at = null`.execute(
    scene.hub.database.db,
  );
};

describe('what is muted', () => {
  test('is told when that ends, if it still fires: a device, those that a filter finds, and a rule', async () => {
    const devices = [
      await scene.addDevice('barn'),
      await scene.addDevice('mill-1'),
      await scene.addDevice('silo'),
    ];
    const ruleId = await scene.addRule({ condition: minute });
    const { muteId } = await mute({ deviceId: devices[0]!, until: inHours(10) });
    await mute({ filter: 'name:mill*', until: inHours(0.1) });
    await scene.leave(devices);
    await scene.pass(180);
    expect((await scene.told()).map(({ data }) => data.fired.map(({ subject }) => subject))).toEqual([
      ['silo'],
    ]);
    await scene.pass(240);
    expect((await scene.told()).slice(1).map(({ data }) => data.fired.map(({ subject }) => subject))).toEqual(
      [['mill-1']],
    );
    const ofRule = await mute({ ruleId, until: inHours(10) });
    await scene.hub.as(scene.project.owner, 'alerts_Unmute', { muteId });
    await scene.pass(60);
    expect(await scene.told()).toHaveLength(2);
    await scene.hub.as(scene.project.owner, 'alerts_Unmute', { muteId: ofRule.muteId });
    await scene.pass(60);
    expect((await scene.told()).slice(2).map(({ data }) => data.fired.map(({ subject }) => subject))).toEqual(
      [['barn']],
    );
  });

  test('that was told before is told to be well after the mute', async () => {
    const device = await scene.addDevice('barn');
    await scene.addRule({ condition: minute });
    await scene.leave([device]);
    await scene.pass(90);
    await mute({ until: inHours(0.1) });
    await scene.connect(device);
    await scene.pass(300);
    expect(await scene.story()).toEqual(['alert.fired: 1 fired']);
    await scene.pass(120);
    expect(await scene.story()).toEqual(['alert.fired: 1 fired', 'alert.resolved: 1 resolved']);
  });

  test('in a window of the night is told after it, neither doubled nor lost in the nights in which the clocks are changed', async () => {
    for (const [from, opens, closes] of [
      ['2027-03-27T20:00:00Z', '2027-03-28T00:30:00Z', '2027-03-28T01:30:00Z'],
      ['2027-10-30T20:00:00Z', '2027-10-31T00:30:00Z', '2027-10-31T02:30:00Z'],
    ] as const) {
      await setTime(from);
      const device = await scene.addDevice(`of ${from}`);
      const ruleId = await scene.addRule({ condition: minute });
      const window = { from: '02:30', to: '03:30', timeZone: 'Europe/Berlin' };
      const { muteId } = await mute({ ruleId, window });
      const before = (await scene.told()).length;
      // 02:30 does not exist in spring: the window opens when the clocks are put forward. In autumn it is the first 02:30.
      const opensAt = from.startsWith('2027-03') ? '2027-03-28T01:00:00Z' : opens;
      await setTime(new Date(Date.parse(opensAt) - 30_000).toISOString());
      await scene.leave([device]);
      await scene.pass(80);
      expect(await scene.told()).toHaveLength(before);
      await setTime(new Date(Date.parse(closes) - 30_000).toISOString());
      await scene.pass(20);
      expect(await scene.told()).toHaveLength(before);
      await scene.pass(40);
      expect(await scene.told()).toHaveLength(before + 1);
      await scene.hub.as(scene.project.owner, 'alerts_Unmute', { muteId });
      await scene.hub.as(scene.project.owner, 'alerts_DeleteRule', { ruleId });
      await scene.connect(device);
    }
  });
});

describe('quiet hours', () => {
  const quietHours = { from: '22:00', to: '06:00', timeZone: 'UTC' };

  test('end with one summary of what fires and what was told before and ended', async () => {
    await setTime('2026-11-20T21:50:00Z');
    const [told, night, short] = [
      await scene.addDevice('told'),
      await scene.addDevice('night'),
      await scene.addDevice('short'),
    ];
    await scene.addRule({ condition: minute, quietHours });
    await scene.leave([told]);
    await scene.pass(120);
    expect(await scene.story()).toEqual(['alert.fired: 1 fired']);
    await setTime('2026-11-20T23:00:00Z');
    await scene.connect(told);
    await scene.leave([night, short]);
    await scene.pass(90);
    await scene.connect(short);
    await setTime('2026-11-21T05:59:00Z');
    await scene.pass(50);
    expect(await scene.story()).toHaveLength(1);
    await scene.pass(60);
    expect((await scene.story()).slice(1)).toEqual(['alert.changed: 1 fired, 1 resolved']);
  });
});

test('what fires and nobody acknowledges is told again, as one message of the rule', async () => {
  const devices = [await scene.addDevice('barn'), await scene.addDevice('mill')];
  await scene.addRule({ condition: minute, remindSecs: 3_600 });
  await scene.leave([devices[0]!]);
  await scene.pass(120);
  await scene.leave([devices[1]!]);
  await scene.pass(3_660);
  expect(await scene.story()).toEqual([
    'alert.fired: 1 fired',
    'alert.fired: 1 fired',
    'alert.reminder: 2 fired',
  ]);
  const { alerts } = await scene.hub.as(scene.member, 'alerts_QueryAlerts', {
    projectId: scene.project.projectId,
  });
  await scene.hub.as(scene.member, 'alerts_Acknowledge', { alertIds: alerts.map(({ alertId }) => alertId) });
  await scene.pass(3_700);
  expect(await scene.story()).toHaveLength(3);
});

test('up to ten alerts are told at once, more when they have calmed down, and then nothing for five minutes', async () => {
  const devices = await Promise.all(
    Array.from({ length: 40 }, (_, index) => scene.addDevice(`device ${index}`)),
  );
  await scene.addRule({ condition: { kind: 'Offline', forSecs: 0 } });
  for (let from = 0; from < 30; from += 5) {
    await scene.leave(devices.slice(from, from + 5));
    await scene.pass(5, 5);
  }
  await scene.pass(60, 5);
  expect(await scene.story()).toEqual(['alert.fired: 5 fired', 'alert.fired: 25 fired']);
  const [, storm] = await scene.told();
  expect(storm?.data.fired).toHaveLength(10);
  expect(storm?.data.firing).toBe(30);
  await scene.leave(devices.slice(30));
  await scene.connect(...devices.slice(0, 5));
  await scene.pass(200, 5);
  expect(await scene.told()).toHaveLength(2);
  await scene.pass(120, 5);
  expect((await scene.story()).slice(2)).toEqual(['alert.changed: 10 fired, 5 resolved']);
  for (const { data } of await scene.told()) expect(alertMessage.strict().parse(data)).toEqual(data);
});

describe('e-mails', () => {
  const queued = async () => {
    const { rows } = await sql<{ email: string; type: string; data: { fired: unknown[] }; rule: string }>`
      select u.email, q.alert_message ->> 'type' as type, q.alert_message as data, q.rule_id as rule
      from queued_mails q join users u using (user_id) where q.kind = 'Alert' order by u.email, q.created_at`.execute(
      scene.hub.database.db,
    );
    return rows;
  };
  const emailOf = async ({ userId }: { userId: string }) => {
    const { rows } = await sql<{
      email: string;
    }>`select email from users where user_id = ${userId.slice(2)}`.execute(scene.hub.database.db);
    return rows[0]!.email;
  };

  test('go to those who are members when it is told, and neither to who is disabled nor to who wants none', async () => {
    const { hub, project, member } = scene;
    const [removed, disabled, unsubscribed] = [
      await seedMember(hub, project),
      await seedMember(hub, project),
      await seedMember(hub, project),
    ];
    const administrator = await seedUser(hub, 'admin@example.org', true);
    const device = await scene.addDevice('barn');
    const ruleId = await scene.addRule({ condition: minute, channels: { mails: 'Members' } });
    await hub.as(project.owner, 'projects_RemoveProjectMember', {
      projectId: project.projectId,
      userId: removed.userId,
    });
    await hub.as(administrator, 'users_SetUserIsDisabled', { userId: disabled.userId, isDisabled: true });
    await hub.as(unsubscribed, 'alerts_SetRuleMails', { ruleId, isOn: false });
    await scene.leave([device]);
    await scene.pass(90);
    const expected = (await Promise.all([project.owner, member].map(emailOf))).toSorted();
    expect((await queued()).map(({ email }) => email)).toEqual(expected);
    expect((await queued())[0]).toMatchObject({
      type: 'alert.fired',
      rule: ids.alertRule.raw(ruleId),
      data: { count: 1, fired: [{ subject: 'barn' }] },
    });
    expect(hub.emittedEvents.filter(({ name }) => name === 'mail_Queued')).toHaveLength(1);
    expect(await scene.alerts()).toMatchObject([{ is_told: true }]);
  });

  test('go to owners, or to some members', async () => {
    const { hub, project, member } = scene;
    const device = await scene.addDevice('barn');
    await scene.addRule({ condition: minute, channels: { mails: 'Owners' } });
    await scene.addRule({ condition: minute, channels: { mails: 'Some', userIds: [member.userId] } });
    await scene.leave([device]);
    await scene.pass(90);
    expect((await queued()).map(({ email }) => email)).toEqual(
      (await Promise.all([project.owner, member].map(emailOf))).toSorted(),
    );
    await hub.as(project.owner, 'projects_RemoveProjectMember', {
      projectId: project.projectId,
      userId: member.userId,
    });
    await scene.connect(device);
    await scene.pass(60);
    expect((await queued()).filter(({ type }) => type === 'alert.resolved')).toHaveLength(1);
  });

  test('of one rule do not pile up where they cannot be sent', async () => {
    const device = await scene.addDevice('barn');
    await scene.addRule({ condition: minute, channels: { mails: 'Owners' }, remindSecs: 3_600 });
    await scene.leave([device]);
    await scene.pass(90);
    for (let hour = 0; hour < 30; hour += 1) {
      scene.hub.advance(3_600);
      await sql`update alert_watch set watched_at = ${scene.hub.now()}`.execute(scene.hub.database.db);
      await scene.look();
    }
    expect(await queued()).toHaveLength(20);
  });
});

test('a rule that tells nobody has told nobody', async () => {
  const device = await scene.addDevice('barn');
  await scene.addRule({ condition: minute, channels: { mails: 'None' } });
  await scene.leave([device]);
  await scene.pass(90);
  expect(await scene.alerts()).toMatchObject([{ state: 'Firing', is_told: false, to_tell: null }]);
  expect(scene.hub.emittedEvents.map(({ name }) => name)).not.toContain('alerts_Told');
});

test('alerts of a rule that is changed or disabled end, as is told once', async () => {
  const { hub, project } = scene;
  const device = await scene.addDevice('barn');
  const ruleId = await scene.addRule({ condition: minute });
  await scene.leave([device]);
  await scene.pass(90);
  const given: Omit<CallInput<'alerts_ChangeRule'>, 'condition' | 'isEnabled'> = {
    ruleId,
    name: 'Rule',
    severity: 'Warning',
    channels: { mails: 'None', webhookIds: [scene.webhookId] },
  };
  await hub.as(project.owner, 'alerts_ChangeRule', { ...given, condition: minute, isEnabled: false });
  await scene.pass(120);
  expect(await scene.story()).toEqual(['alert.fired: 1 fired', 'alert.resolved: 1 resolved']);
  expect((await scene.told())[1]?.data.resolved).toMatchObject([{ end: 'RuleChanged' }]);
  await hub.as(project.owner, 'alerts_ChangeRule', { ...given, condition: minute, isEnabled: true });
  await scene.pass(60);
  expect((await scene.story()).slice(2)).toEqual(['alert.fired: 1 fired']);
  await hub.as(project.owner, 'alerts_ChangeRule', {
    ...given,
    condition: { ...minute, forSecs: 120 },
    isEnabled: true,
  });
  await scene.pass(120);
  expect((await scene.story()).slice(3)).toEqual(['alert.changed: 1 fired, 1 resolved']);
});

test('two nodes that look at the same time tell once', async () => {
  const device = await scene.addDevice('barn');
  const ruleId = await scene.addRule({ condition: { kind: 'Offline', forSecs: 0 } });
  await scene.leave([device]);
  scene.hub.advance(30);
  const given = { ruleId: ids.alertRule.raw(ruleId) };
  await Promise.all(Array.from({ length: 6 }, () => scene.hub.executor.run(systemCaller, LookAtRule, given)));
  expect(await scene.story()).toEqual(['alert.fired: 1 fired']);
});
