import { ids, type AlertState, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newDatedRawId, newRawId } from '../../auth/random.ts';
import { freshExecutor, type FreshExecutor } from '../../../test/fresh-executor.ts';
import {
  byToken,
  seedDevice,
  seedMember,
  seedProject,
  seedUser,
  type SeededProject,
  type Somebody,
} from '../../../test/seed.ts';

let hub: FreshExecutor;
let admin: Somebody;
let project: SeededProject;
beforeAll(async () => {
  hub = await freshExecutor();
  admin = await seedUser(hub, 'admin@example.org', true);
});
afterAll(() => hub[Symbol.asyncDispose]());
beforeEach(async () => {
  project = await seedProject(hub);
});

type Severity = 'Info' | 'Warning' | 'Critical';

const ruleOf = async (severity: Severity, of = project) => {
  const { ruleId } = await hub.as(of.owner, 'alerts_CreateRule', {
    projectId: of.projectId,
    name: severity,
    condition: { kind: 'Offline', forSecs: 60 },
    severity,
    channels: { mails: 'None' },
  });
  return ruleId;
};

/** An alert of a rule, by default of a device that there is none of; the later one is the newer one. */
const alertOf = async (ruleId: Id<'alertRule'>, state: AlertState, subject = newRawId()) => {
  hub.advance(60);
  const now = hub.now();
  const alertId = newDatedRawId(now);
  await sql`
    insert into alerts (alert_id, rule_id, subject, subject_name, state, since, fired_at, ended_at)
    values (${alertId}, ${ids.alertRule.raw(ruleId)}, ${subject}, 'pump', ${state}, ${now},
      case when ${state} <> 'Pending' then ${now}::timestamptz end, case when ${state} = 'Resolved' then ${now}::timestamptz end)`.execute(
    hub.database.db,
  );
  return ids.alert.of(alertId);
};

const listOf = async (input: object, as = project.owner) =>
  (await hub.as(as, 'alerts_QueryAlerts', input)).alerts;
const idsOf = async (input: object, as = project.owner) =>
  (await listOf(input, as)).map(({ alertId }) => alertId);

test('what has not ended is listed first, the most severe before others, then the newest', async () => {
  const [info, critical] = [await ruleOf('Info'), await ruleOf('Critical')];
  const old = await alertOf(info, 'Firing');
  const ended = await alertOf(critical, 'Resolved');
  const severe = await alertOf(critical, 'Acknowledged');
  const newest = await alertOf(info, 'Pending');
  const { projectId } = project;
  expect(await idsOf({ projectId })).toEqual([severe, newest, old, ended]);
  expect(await idsOf({ projectId, states: ['Firing', 'Resolved'] })).toEqual([old, ended]);
  expect(await idsOf({ projectId, severity: 'Info' })).toEqual([newest, old]);
  expect(await idsOf({ projectId, ruleId: critical })).toEqual([severe, ended]);
  expect(await hub.as(project.owner, 'alerts_CountAlerts', { projectId })).toEqual({
    pending: 1,
    firing: 1,
    acknowledged: 1,
  });
});

test('alerts are found by device and by when they fired, and counted by day', async () => {
  const { deviceId } = await seedDevice(hub, project);
  const ruleId = await ruleOf('Warning');
  await alertOf(ruleId, 'Firing');
  const from = hub.now().toISOString();
  hub.advance(86_400);
  const alertId = await alertOf(ruleId, 'Resolved', ids.device.raw(deviceId));
  const { projectId } = project;
  expect(await listOf({ projectId, deviceId })).toMatchObject([{ alertId, deviceId, subject: 'pump' }]);
  expect(await idsOf({ projectId, firedFrom: from, firedBefore: hub.now().toISOString() })).toHaveLength(1);
  const { days } = await hub.as(project.owner, 'alerts_QueryAlertDays', { projectId });
  expect(days).toHaveLength(30);
  expect(days.slice(-2)).toEqual(Array.from({ length: 2 }, () => ({ info: 0, warning: 1, critical: 0 })));
});

test('an alert names its device while there is one, whatever its rule looks for meanwhile', async () => {
  const { deviceId } = await seedDevice(hub, project);
  const ruleId = await ruleOf('Warning');
  const alertId = await alertOf(ruleId, 'Resolved', ids.device.raw(deviceId));
  const { projectId } = project;
  await hub.as(project.owner, 'alerts_ChangeRule', {
    ruleId,
    name: 'Operations',
    condition: { kind: 'Operations', percent: 5 },
    severity: 'Warning',
    channels: { mails: 'None' },
    isEnabled: true,
  });
  const [shown] = await listOf({ projectId });
  expect(shown).toMatchObject({ alertId, deviceId });
  expect(shown).not.toHaveProperty('fleetOperationId');
  await hub.as(project.owner, 'devices_DeleteDevice', { deviceId });
  expect((await listOf({ projectId }))[0]).not.toHaveProperty('deviceId');
});

test('of all alerts somebody sees those of the own projects, and a token those of its projects', async () => {
  const other = await seedProject(hub);
  const [mine, foreign] = [await ruleOf('Info'), await ruleOf('Info', other)];
  const seen = await alertOf(mine, 'Firing');
  const hidden = await alertOf(foreign, 'Firing');
  expect(await listOf({ all: true })).toMatchObject([
    { alertId: seen, projectId: project.projectId, projectName: 'Plant' },
  ]);
  expect(await idsOf({ all: true }, admin)).toEqual(expect.arrayContaining([seen, hidden]));
  const { projectId: elsewhere } = await hub.as(other.owner, 'projects_CreateProject', { name: 'Mill' });
  const token = await byToken(hub, other.owner, { projects: [elsewhere] });
  expect(await hub.as(token, 'alerts_CountAlerts', { all: true })).toMatchObject({ firing: 0 });
  expect(await hub.as(other.owner, 'alerts_CountAlerts', { all: true })).toMatchObject({ firing: 1 });
  expect(await listOf({ projectId: project.projectId, ruleId: foreign })).toEqual([]);
});

test('alerts that fire are acknowledged by those who see them, once', async () => {
  const other = await seedProject(hub);
  const [mine, foreign] = [await ruleOf('Info'), await ruleOf('Info', other)];
  const [firing, pending, hidden] = [
    await alertOf(mine, 'Firing'),
    await alertOf(mine, 'Pending'),
    await alertOf(foreign, 'Firing'),
  ];
  const member = await seedMember(hub, project);
  const alertIds = [firing, pending, hidden];
  expect(await hub.as(member, 'alerts_Acknowledge', { alertIds })).toEqual({ acknowledged: 1 });
  expect(await hub.as(member, 'alerts_Acknowledge', { alertIds })).toEqual({ acknowledged: 0 });
  expect(await listOf({ projectId: project.projectId, states: ['Acknowledged'] })).toMatchObject([
    { alertId: firing, acknowledgedBy: member },
  ]);
  expect(await hub.refusal(member, 'alerts_Acknowledge', { alertIds: [hidden] })).toEqual(
    await hub.refusal(member, 'alerts_Acknowledge', { alertIds: [ids.alert.of('20261120-1100-AAAAAAAA')] }),
  );
  expect(hub.emittedEvents.filter(({ name }) => name === 'alerts_Acknowledged').at(-1)?.data).toEqual({
    projectId: project.projectId,
    count: 1,
  });
});

test('all alerts that match are acknowledged at once, and no others', async () => {
  const other = await seedProject(hub);
  const [info, critical, foreign] = [
    await ruleOf('Info'),
    await ruleOf('Critical'),
    await ruleOf('Critical', other),
  ];
  for (const ruleId of [info, critical, critical, foreign]) await alertOf(ruleId, 'Firing');
  const { projectId } = project;
  const acknowledge = (matching: object) => hub.as(project.owner, 'alerts_Acknowledge', { matching });
  expect(await acknowledge({ projectId, ruleId: foreign })).toEqual({ acknowledged: 0 });
  expect(await acknowledge({ projectId, severity: 'Critical' })).toEqual({ acknowledged: 2 });
  expect(await acknowledge({ projectId })).toEqual({ acknowledged: 1 });
  expect(await hub.as(other.owner, 'alerts_CountAlerts', { projectId: other.projectId })).toMatchObject({
    firing: 1,
  });
  expect(await hub.refusal(project.owner, 'alerts_Acknowledge', {})).toEqual({
    kind: 'Invalid',
    message: 'Name the alerts, or say which match: one of both.',
  });
});
