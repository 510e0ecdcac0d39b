import { actions, parseInput, type CallInput } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absentId, freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import {
  newCertificate,
  newFingerprint,
  seedDevice,
  seedProject,
  seedToken,
  seedUser,
} from '../../../../test/seed.ts';
import { AuthenticateDevice } from '../../devices/internal/AuthenticateDevice.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

describe('the log of a project', () => {
  test('lists its events, newest first', async () => {
    const project = await seedProject(hub);
    await seedDevice(hub, await seedProject(hub));
    hub.advance(1);
    const { token } = await seedToken(hub, project);
    hub.advance(1);
    const shown = { token, fingerprint: newFingerprint(), certificate: newCertificate() };
    await hub.run(AuthenticateDevice, shown);
    const { projectId } = project;
    const answer = await hub.as(project.owner, 'projects_QueryAuditLog', { projectId });
    expect(answer.events.map(({ event }) => event)).toEqual([
      'devices_CertificateAdded',
      'devices_Created',
      'projects_DeploymentTokenCreated',
      'projects_MemberAdded',
      'projects_Created',
    ]);
    expect(parseInput(actions.projects_QueryAuditLog.output, answer)).toEqual(answer);
    expect(answer.events[2]).toMatchObject({
      actor: project.owner,
      action: { actionId: expect.stringMatching(/^audit_act_/) },
    });
    expect(answer.events[1]).not.toHaveProperty('action');
  });

  test('and those of the instance are filtered and sorted', async () => {
    const project = await seedProject(hub);
    const { projectId, owner } = project;
    hub.advance(3600);
    await hub.as(owner, 'projects_SetName', { projectId, name: 'Mill' });
    hub.advance(1);
    await seedToken(hub, project);
    const admin = await seedUser(hub, 'filtering@example.org', true);
    const named = async (input: { filter: string; order?: 'created' }) => {
      const { events } = await hub.as(owner, 'projects_QueryAuditLog', { projectId, ...input });
      return events.map(({ event }) => event.replace(/^projects_/, ''));
    };
    const selections: [string, string[]][] = [
      ['event:projects_Created', ['Created']],
      ['event:projects_*,users_* created<30min', ['MemberAdded', 'Created']],
      ['token', ['DeploymentTokenCreated']],
      ['created>30min not token', ['NameChanged']],
      [
        `actor:User:${owner.userId} event!=projects_Created`,
        ['DeploymentTokenCreated', 'NameChanged', 'MemberAdded'],
      ],
      ['actor:System', []],
    ];
    for (const [filter, expected] of selections)
      expect([filter, await named({ filter })]).toEqual([filter, expected]);
    expect(await named({ filter: 'not token', order: 'created' })).toEqual([
      'Created',
      'MemberAdded',
      'NameChanged',
    ]);
    const input = { projectId, filter: 'not event:projects_NameChanged', limit: 2 };
    const first = await hub.as(owner, 'projects_QueryAuditLog', input);
    const { events, next } = await hub.as(owner, 'projects_QueryAuditLog', {
      ...input,
      after: first.next ?? '',
    });
    expect([...first.events, ...events]).toHaveLength(3);
    expect(next).toBeUndefined();
    const ofInstance = await hub.as(admin, 'audit_QueryAuditLogEvents', {
      filter: `namechanged actor:User:${owner.userId}`,
    });
    expect(ofInstance.events).toMatchObject([{ event: 'projects_NameChanged' }]);
    const filter = `action:projects_* actor:User:${owner.userId} status:succeeded`;
    const commands = await hub.as(admin, 'audit_QueryAuditLogActions', { filter, order: 'created' });
    expect(commands.actions.map(({ action }) => action)).toEqual([
      'projects_CreateProject',
      'projects_SetName',
      'projects_CreateDeploymentToken',
    ]);
    expect(
      (await hub.refusal(owner, 'projects_QueryAuditLog', { projectId, filter: 'actr:System' })).message,
    ).toBe('The filter has a mistake at character 1: there is no field "actr". Did you mean actor?');
  });

  test('is read page by page, without gaps or repetitions', async () => {
    const project = await seedProject(hub);
    const { projectId, owner } = project;
    for (let count = 0; count < 5; count += 1) await seedDevice(hub, project);
    const { events: all } = await hub.as(owner, 'projects_QueryAuditLog', { projectId });
    const paged = [];
    for (let before: (typeof all)[number]['eventId'] | undefined; ;) {
      const input = { projectId, limit: 4, ...(before === undefined ? {} : { before }) };
      const { events } = await hub.as(owner, 'projects_QueryAuditLog', input);
      paged.push(...events);
      before = events.at(-1)?.eventId;
      if (events.length < 4) break;
    }
    expect(paged).toEqual(all);
    const beyond = { projectId, before: absentEvent() };
    expect((await hub.as(owner, 'projects_QueryAuditLog', beyond)).events).toEqual([]);
  });
});

const absentEvent = () => 'audit_ev_20261120-1200-AAAAAAAA' as const;

describe('the logs of the instance', () => {
  test('list events and commands with their outcome, page by page', async () => {
    const { owner, projectId } = await seedProject(hub);
    hub.advance(1);
    await hub.refusal(owner, 'projects_DeleteProject', { projectId: absentId('project') });
    hub.advance(1);
    await hub.as(owner, 'projects_DeleteProject', { projectId });
    const { events } = await hub.as(system, 'audit_QueryAuditLogEvents', { limit: 2 });
    expect(events[0]).toMatchObject({ event: 'projects_Deleted', data: { projectId } });
    const next = await hub.as(system, 'audit_QueryAuditLogEvents', { limit: 1, before: events[0]!.eventId });
    expect(next.events).toEqual([events[1]]);
    const answer = await hub.as(system, 'audit_QueryAuditLogActions', { limit: 2 });
    expect(answer.actions[0]).toMatchObject({
      action: 'projects_DeleteProject',
      actor: owner,
      data: { projectId },
      status: 'Succeeded',
    });
    expect(answer.actions[1]).toMatchObject({ status: 'Failed' });
    const older = await hub.as(system, 'audit_QueryAuditLogActions', {
      limit: 1,
      before: answer.actions[0]!.actionId,
    });
    expect(older.actions).toEqual([answer.actions[1]]);
    expect(parseInput(actions.audit_QueryAuditLogActions.output, answer)).toEqual(answer);
  });

  test('never contain a secret', async () => {
    const { shown } = await seedDevice(hub, await seedProject(hub));
    const logs = [
      await hub.as(system, 'audit_QueryAuditLogEvents', {}),
      await hub.as(system, 'audit_QueryAuditLogActions', {}),
    ];
    for (const secret of [shown.token, shown.fingerprint])
      expect(JSON.stringify(logs)).not.toContain(secret.slice(-22));
  });
});

test('the statistics count users, projects and devices', async () => {
  const before = await hub.as(system, 'instance_GetInstanceStatistics', {});
  await seedDevice(hub, await seedProject(hub));
  expect(await hub.as(system, 'instance_GetInstanceStatistics', {})).toMatchObject({
    users: before.users + 1,
    projects: before.projects + 1,
    devices: before.devices + 1,
  });
});

describe('the filters of the logs of the instance', () => {
  test('by type, actor, time, outcome and command', async () => {
    const admin = await seedUser(hub, 'auditor@example.org', true);
    const { owner, projectId } = await seedProject(hub);
    await hub.refusal(owner, 'projects_DeleteProject', { projectId: absentId('project') });
    hub.advance(10);
    const since = hub.now().toISOString();
    await hub.as(owner, 'projects_DeleteProject', { projectId });
    const actions = async (filter: CallInput<'audit_QueryAuditLogActions'>) =>
      (await hub.as(admin, 'audit_QueryAuditLogActions', filter)).actions;
    const actor = `User:${owner.userId}`;
    const named = async (filter: CallInput<'audit_QueryAuditLogActions'>) =>
      (await actions({ actor, ...filter })).map(({ action, status }) => [action, status]);
    expect(await named({ since })).toEqual([['projects_DeleteProject', 'Succeeded']]);
    // The same time at the largest offset, which PostgreSQL does not know.
    const farEast = new Date(hub.now().getTime() + (23 * 60 + 59) * 60_000).toISOString();
    const elsewhen = farEast.replace('Z', '+23:59');
    expect(await named({ since: elsewhen })).toEqual([['projects_DeleteProject', 'Succeeded']]);
    for (const outside of ['0000-06-01T00:00:00Z', '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'])
      expect(await hub.refusal(admin, 'audit_QueryAuditLogActions', { since: outside })).toEqual({
        kind: 'Invalid',
        message: 'The field since must lie in the years 1 to 9999.',
      });
    expect(await named({ status: 'Failed' })).toEqual([['projects_DeleteProject', 'Failed']]);
    expect(await named({ status: 'Panicked' })).toEqual([]);
    expect(await named({ action: 'projects_CreateProject' })).toEqual([
      ['projects_CreateProject', 'Succeeded'],
    ]);
    const [deletion] = await actions({ actor, since });
    const events = async (filter: CallInput<'audit_QueryAuditLogEvents'>) =>
      (await hub.as(admin, 'audit_QueryAuditLogEvents', filter)).events;
    expect(await events({ actionId: deletion!.actionId })).toMatchObject([
      { event: 'projects_Deleted', action: { actionId: deletion!.actionId } },
    ]);
    expect(await events({ event: 'projects_Deleted', actor })).toHaveLength(1);
    expect(await events({ event: 'projects_Deleted', actor: 'System' })).toEqual([]);
    expect((await events({ actor: 'System', limit: 5 })).every((one) => one.actor.actor === 'System')).toBe(
      true,
    );
    const { next } = await hub.as(admin, 'audit_QueryAuditLogEvents', { limit: 1 });
    const elsewhere = { actor, after: next };
    expect((await hub.refusal(admin, 'audit_QueryAuditLogEvents', elsewhere)).kind).toBe('Invalid');
  });

  test('count what did not succeed, for administrators', async () => {
    const admin = await seedUser(hub, 'counter@example.org', true);
    const stranger = await seedUser(hub, 'no-counter@example.org');
    const before = await hub.as(admin, 'audit_CountAuditLogActions', {});
    await hub.refusal(stranger, 'projects_DeleteProject', { projectId: absentId('project') });
    expect(await hub.as(admin, 'audit_CountAuditLogActions', {})).toEqual({
      ...before,
      failed: before.failed + 1,
    });
    expect((await hub.refusal(stranger, 'audit_CountAuditLogActions', {})).kind).toBe('Forbidden');
  });
});
