import { ids, type CallInput, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { absentId, freshExecutor, type FreshExecutor } from '../../../test/fresh-executor.ts';
import { seedAlert } from '../../../test/seed-alert.ts';
import {
  seedDevice,
  seedMember,
  seedProject,
  seedUser,
  type SeededProject,
  type Somebody,
} from '../../../test/seed.ts';
import { seedWebhook } from '../../../test/seed-webhook.ts';

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

type Given = CallInput<'alerts_CreateRule'>;

const offline = { kind: 'Offline', forSecs: 300 } as const;
const ruleOf = (set: Partial<Given> = {}): Given => ({
  projectId: project.projectId,
  name: 'Pumps are away',
  condition: offline,
  severity: 'Warning',
  channels: { mails: 'Owners' },
  ...set,
});

const rulesOf = async (as = project.owner) =>
  (await hub.as(as, 'alerts_QueryRules', { projectId: project.projectId })).rules;

test('members see the rules that owners make, by name', async () => {
  const window = { from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' };
  await hub.as(
    project.owner,
    'alerts_CreateRule',
    ruleOf({ name: ' Zebra ', remindSecs: 7200, quietHours: window }),
  );
  const { ruleId } = await hub.as(project.owner, 'alerts_CreateRule', ruleOf({ name: 'apple' }));
  const found = await rulesOf(await seedMember(hub, project));
  expect(found.map(({ name }) => name)).toEqual(['apple', 'Zebra']);
  expect(found[0]).toEqual({
    ruleId,
    name: 'apple',
    condition: offline,
    severity: 'Warning',
    channels: { mails: 'Owners' },
    isEnabled: true,
    createdBy: project.owner,
    createdAt: '2026-11-20T12:00:00Z',
    counts: { pending: 0, firing: 0, acknowledged: 0 },
    isUnsubscribed: false,
  });
  expect(found[1]).toMatchObject({ remindSecs: 7200, quietHours: window });
});

test.each<[string, Partial<Given>, string]>([
  ['a mistake in a filter', { condition: { ...offline, filter: 'name:(' } }, 'filter'],
  [
    'an empty filter',
    { condition: { kind: 'Matching', filter: ' ', forSecs: 0 } },
    'Say which devices by a filter. For all devices of the project write "all".',
  ],
  [
    'the hub in a project',
    { condition: { kind: 'Hub', percent: 90 } },
    'Only rules of the instance look at the hub.',
  ],
  ['a blank name', { name: ' ' }, 'Name must not be empty.'],
  [
    'quiet hours of a critical rule',
    { severity: 'Critical', quietHours: { from: '22:00', to: '06:00', timeZone: 'UTC' } },
    'A critical rule has no quiet hours: what it finds is told at once.',
  ],
  [
    'a place that is none',
    { quietHours: { from: '22:00', to: '06:00', timeZone: 'Mars/Base' } },
    'There is no time zone "Mars/Base". Give it as a place, such as Europe/Berlin, or as UTC.',
  ],
  ['some of nobody', { channels: { mails: 'Some' } }, 'Choose at least one member who gets the e-mails.'],
])('a rule with %s is refused', async (_, set, sentence) => {
  const { kind, message } = await hub.refusal(project.owner, 'alerts_CreateRule', ruleOf(set));
  expect({ kind, message }).toEqual({ kind: 'Invalid', message: expect.stringContaining(sentence) });
});

test('a mistake in a filter is refused with where it is', async () => {
  const input = ruleOf({ condition: { ...offline, filter: 'connected and colour:red' } });
  await expect(hub.as(project.owner, 'alerts_CreateRule', input)).rejects.toMatchObject({
    reason: { kind: 'FilterMistake', at: 14 },
  });
});

test('a rule tells neither people who are no members nor webhooks of others', async () => {
  const other = await seedProject(hub);
  const { webhook } = await seedWebhook(hub, other);
  const refusalOf = async (channels: Given['channels']) =>
    (await hub.refusal(project.owner, 'alerts_CreateRule', ruleOf({ channels }))).message;
  expect(await refusalOf({ mails: 'Some', userIds: [other.owner.userId] })).toBe(
    'Only members of the project get e-mails, and somebody of these is none.',
  );
  expect(await refusalOf({ mails: 'None', webhookIds: [webhook] })).toBe('Webhook not found.');
  expect(await refusalOf({ mails: 'None', webhookIds: [absentId('webhook')] })).toBe('Webhook not found.');
  const mine = await hub.as(project.owner, 'alerts_CreateRule', ruleOf());
  const change = {
    ...ruleOf({ channels: { mails: 'None', webhookIds: [webhook] } }),
    ruleId: mine.ruleId,
    isEnabled: true,
  };
  delete (change as Partial<Given>).projectId;
  expect((await hub.refusal(project.owner, 'alerts_ChangeRule', change)).message).toBe('Webhook not found.');
});

test('a deleted webhook and a former member leave a rule, which says so', async () => {
  const { webhook } = await seedWebhook(hub, project);
  const { userId } = await seedMember(hub, project);
  const stays = await seedMember(hub, project);
  const channels: Given['channels'] = {
    mails: 'Some',
    userIds: [userId, stays.userId],
    webhookIds: [webhook],
  };
  await hub.as(project.owner, 'alerts_CreateRule', ruleOf({ channels }));
  const { projectId } = project;
  await hub.as(project.owner, 'projects_RemoveProjectMember', { projectId, userId });
  expect((await rulesOf())[0]).toMatchObject({
    channels: { mails: 'Some', userIds: [stays.userId], webhookIds: [webhook] },
    problem: 'Somebody who got its e-mails is no member any more.',
  });
  await hub.as(project.owner, 'projects_DeleteWebhook', { webhookId: webhook });
  expect((await rulesOf())[0]).toMatchObject({
    channels: { mails: 'Some', userIds: [stays.userId], webhookIds: [] },
    problem: 'A webhook that it told was deleted.',
  });
});

const stateOf = async (alertId: Id<'alert'>) => {
  const { rows } = await sql<object>`
    select state, end_reason, to_tell, ended_at is not null as is_ended from alerts where alert_id = ${ids.alert.raw(alertId)}`.execute(
    hub.database.db,
  );
  return rows[0];
};

test.each([
  ['with another condition', { condition: { ...offline, forSecs: 600 }, isEnabled: true }],
  ['that is disabled', { condition: { ...offline, forSecs: 60 }, isEnabled: false }],
])('the alerts of a rule %s end, and who was told is told', async (_, set) => {
  const { deviceId } = await seedDevice(hub, project);
  const { alertRule: ruleId, alert } = await seedAlert(hub, project, deviceId);
  await sql`update alerts set is_told = true`.execute(hub.database.db);
  const same = {
    ruleId,
    name: 'y',
    condition: { ...offline, forSecs: 60 },
    severity: 'Info',
    channels: { mails: 'None' },
    isEnabled: true,
  } as const;
  await hub.as(project.owner, 'alerts_ChangeRule', same);
  expect(await stateOf(alert)).toMatchObject({ state: 'Firing', is_ended: false });
  await hub.as(project.owner, 'alerts_ChangeRule', { ...same, ...set });
  expect(await stateOf(alert)).toEqual({
    state: 'Resolved',
    end_reason: 'RuleChanged',
    to_tell: 'Ended',
    is_ended: true,
  });
});

test('the rules of an owner who becomes a member stay, and are changed by owners only', async () => {
  const owner = await seedMember(hub, project, true);
  const { ruleId } = await hub.as(owner, 'alerts_CreateRule', ruleOf());
  const { projectId } = project;
  await hub.as(project.owner, 'projects_SetProjectMemberRole', {
    projectId,
    userId: owner.userId,
    isOwner: false,
  });
  expect(await rulesOf(owner)).toMatchObject([{ ruleId, isEnabled: true, createdBy: owner }]);
  expect(await hub.refusal(owner, 'alerts_DeleteRule', { ruleId })).toMatchObject({ kind: 'Forbidden' });
});

test('a project has at most 50 rules', async () => {
  for (let number = 0; number < 50; number += 1) await hub.as(project.owner, 'alerts_CreateRule', ruleOf());
  expect(await hub.refusal(project.owner, 'alerts_CreateRule', ruleOf())).toEqual({
    kind: 'Invalid',
    message: 'A project may have at most 50 alert rules. Delete one first.',
  });
});

test('rules of the instance are those of administrators, look at the hub and tell administrators by e-mail', async () => {
  const rule = {
    name: 'Hub',
    condition: { kind: 'Hub', percent: 90 },
    severity: 'Critical',
    channels: { mails: 'Owners' },
  } as const;
  expect(await hub.refusal(project.owner, 'alerts_CreateRule', rule)).toMatchObject({ kind: 'Forbidden' });
  const { ruleId } = await hub.as(admin, 'alerts_CreateRule', rule);
  expect((await hub.as(admin, 'alerts_QueryRules', {})).rules).toMatchObject([
    { ruleId, condition: rule.condition },
  ]);
  for (const condition of [offline, { kind: 'Quota', percent: 90 }])
    expect((await hub.refusal(admin, 'alerts_CreateRule', { ...rule, condition })).message).toBe(
      'Rules of the instance look at the hub alone. Create others in a project.',
    );
  const { webhook } = await seedWebhook(hub, project);
  const channels = { mails: 'None', webhookIds: [webhook] };
  expect((await hub.refusal(admin, 'alerts_CreateRule', { ...rule, channels })).message).toBe(
    'Rules of the instance tell administrators by e-mail, and no webhooks.',
  );
  expect(await hub.refusal(project.owner, 'alerts_DeleteRule', { ruleId })).toEqual(
    await hub.refusal(project.owner, 'alerts_DeleteRule', { ruleId: absentId('alertRule') }),
  );
  await hub.as(admin, 'alerts_DeleteRule', { ruleId });
  expect((await hub.as(admin, 'alerts_QueryRules', {})).rules).toEqual([]);
});

test('whoever wants no e-mails of a rule alone gets none', async () => {
  const member = await seedMember(hub, project);
  const { ruleId } = await hub.as(project.owner, 'alerts_CreateRule', ruleOf());
  await hub.as(member, 'alerts_SetRuleMails', { ruleId, isOn: false });
  await hub.as(member, 'alerts_SetRuleMails', { ruleId, isOn: false });
  expect(await rulesOf(member)).toMatchObject([{ isUnsubscribed: true }]);
  expect(await rulesOf()).toMatchObject([{ isUnsubscribed: false }]);
  await hub.as(member, 'alerts_SetRuleMails', { ruleId, isOn: true });
  expect(await rulesOf(member)).toMatchObject([{ isUnsubscribed: false }]);
});
