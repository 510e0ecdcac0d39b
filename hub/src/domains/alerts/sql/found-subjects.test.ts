import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { alertScene, type AlertScene } from '../../../../test/alert-scene.ts';
import { seedUser } from '../../../../test/seed.ts';
import { newDatedRawId } from '../../../auth/random.ts';
import { ownDatabase } from '../../../../test/fresh-database.ts';
import { connectSql } from '../../../platform/db/connect.ts';
import { ensureJobsSchema, jobsSchema } from '../../../platform/db/jobs-schema.ts';
import { startJobs } from '../../../platform/jobs/start-jobs.ts';

let scene: AlertScene;
beforeEach(async () => {
  scene = await alertScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

const db = () => scene.hub.database.db;
const subjects = async () =>
  (await scene.told()).map(({ data }) => [...data.fired, ...data.resolved].map(({ subject }) => subject));

/** Lets a device publish an event now. */
const publish = (deviceId: Id<'device'>, severity: 'Info' | 'Error' | 'Critical', body: string) =>
  scene.hub.as({ actor: 'Device', kind: 'Device', deviceId } as never, 'devices_PublishDeviceEvents', {
    deviceId,
    events: [
      {
        eventId: ids.deviceEvent.of(newDatedRawId(scene.hub.now())),
        severity,
        body,
        attributes: {},
        emittedAt: scene.hub.now().toISOString(),
      },
    ],
  });

test('events of a severity or above fire once, and the alert ends 15 minutes after the last one', async () => {
  const [barn, mill] = [await scene.addDevice('barn'), await scene.addDevice('mill')];
  await publish(mill, 'Critical', 'before the rule');
  await scene.pass(1_000, 100);
  await scene.addRule({ condition: { kind: 'Events', severity: 'Error', filter: 'name:barn' } });
  await scene.pass(20);
  await publish(barn, 'Info', 'all is well');
  await publish(mill, 'Critical', 'not of this rule');
  await scene.pass(20);
  expect(await scene.told()).toEqual([]);
  await publish(barn, 'Critical', 'x'.repeat(60_000));
  await scene.pass(60);
  expect(await subjects()).toEqual([['barn']]);
  expect(JSON.stringify(await scene.told()).length).toBeLessThan(2_000);
  await publish(barn, 'Error', 'again');
  await scene.pass(870, 30);
  expect(await scene.alerts()).toMatchObject([{ state: 'Firing' }]);
  await scene.pass(60);
  expect(await scene.story()).toEqual(['alert.fired: 1 fired', 'alert.resolved: 1 resolved']);
});

test('events that came while no hub looked are found', async () => {
  const barn = await scene.addDevice('barn');
  await scene.addRule({ condition: { kind: 'Events', severity: 'Error' } });
  await scene.pass(60);
  scene.hub.advance(1_000);
  await publish(barn, 'Error', 'x');
  scene.hub.advance(800);
  await scene.look();
  expect(await subjects()).toEqual([['barn']]);
});

test('operations that the hub paused, or in which a share failed, fire until they go on', async () => {
  const { hub, project } = scene;
  const projectId = ids.project.raw(project.projectId);
  const add = (id: string, columns: { status: string; reason?: string; counts?: unknown }) =>
    sql`
    insert into fleet_operations (fleet_operation_id, project_id, name, status, definition, steps, close_when_converged, max_in_flight, pause_on_failure_percent,
      deliver_within_secs, pause_reason, created_by, created_at, completed_at, final_counts)
    values (${id.padEnd(22, 'x')}, ${projectId}, ${id}, ${columns.status}, '{}', '[]', false, 1, 10, 60, ${columns.reason ?? null}, '{}', ${hub.now()},
      ${columns.counts === undefined ? null : hub.now()}, ${columns.counts === undefined ? null : JSON.stringify(columns.counts)}::jsonb)`.execute(
      db(),
    );
  await add('paused by the hub', { status: 'Paused', reason: '2 of 12 devices failed.' });
  await add('paused by a person', { status: 'Paused' });
  await add('half failed', {
    status: 'Failed',
    counts: { total: 10, failed: 3, timedOut: 2, notDelivered: 0 },
  });
  await add('few failed', {
    status: 'Failed',
    counts: { total: 10, failed: 1, timedOut: 0, notDelivered: 0 },
  });
  await scene.addRule({ condition: { kind: 'Operations', percent: 50 } });
  await scene.pass(20);
  expect((await subjects())[0]?.toSorted()).toEqual(['half failed', 'paused by the hub']);
  await sql`update fleet_operations set status = 'Running', pause_reason = null where name = 'paused by the hub'`.execute(
    db(),
  );
  await scene.pass(60);
  expect((await subjects())[1]).toEqual(['paused by the hub']);
  scene.hub.advance(86_400);
  await scene.look();
  expect((await subjects())[2]).toEqual(['half failed']);
});

test('quotas that are used up to a share fire', async () => {
  const barn = await scene.addDevice('barn');
  await scene.addDevice('mill');
  await scene.addRule({ condition: { kind: 'Quota', percent: 80 } });
  await scene.pass(20);
  expect(await scene.told()).toEqual([]);
  await sql`insert into instance_settings (key, value, changed_at) values ('devicesPerProject', '2', now()), ('deviceEventsPerDay', '1', now())`.execute(
    db(),
  );
  await publish(barn, 'Info', 'one');
  await scene.pass(20);
  expect((await subjects())[0]?.toSorted()).toEqual(['Devices', 'barn']);
  expect((await scene.told())[0]?.data.fired.map(({ deviceId }) => deviceId)).toContain(barn);
});

test('administrators are told of a full disk, a lost node and e-mails that wait', async () => {
  const { hub } = scene;
  const administrator = await seedUser(hub, 'admin@example.org', true);
  await hub.as(administrator, 'alerts_CreateRule', {
    name: 'Hub',
    condition: { kind: 'Hub', percent: 90 },
    severity: 'Critical',
    channels: { mails: 'Owners' },
  });
  const mails = async () => {
    const { rows } = await sql<{
      data: { fired: { subject: string }[]; resolved: { subject: string }[]; url: string };
    }>`
      select alert_message as data from queued_mails where kind = 'Alert' order by created_at, mail_id`.execute(
      db(),
    );
    return rows.map(({ data }) => data);
  };
  await scene.pass(20);
  expect(await mails()).toEqual([]);
  const at = hub.now();
  await sql`update cluster_nodes set disk_percent = 93, name = 'east'`.execute(db());
  const node = (id: string, name: string, leaseUntil: Date, joinedAt: Date) =>
    sql`
    insert into cluster_nodes (node_id, name, joined_at, lease_until, last_heartbeat_at)
    values (${id.padEnd(22, 'x')}, ${name}, ${joinedAt}, ${leaseUntil}, ${new Date(at.getTime() - 60_000)})`.execute(
      db(),
    );
  const ago = (secs: number) => new Date(at.getTime() - secs * 1000);
  await node('lost', 'west', ago(45), ago(9_000));
  await node('left', 'north', ago(60), ago(9_000));
  await node('restarted', 'south', ago(45), ago(9_000));
  await node('new', 'south', new Date(at.getTime() + 1e9), ago(30));
  await sql`insert into queued_mails (mail_id, kind, user_id, attempts, created_at, next_attempt_at)
    values ('m', 'PasswordChanged', ${ids.user.raw(administrator.userId)}, 3, ${ago(700)}, ${at})`.execute(
    db(),
  );
  await scene.pass(20);
  const [message] = await mails();
  expect(message?.fired.map(({ subject }) => subject).toSorted()).toEqual([
    'Disk of east',
    'E-mails',
    'Node west',
  ]);
  expect(message?.url).toMatch(/\/admin\/alerts\?rule=alert_rule_/);
  // After a restart the disk is not measured at once; that is no recovery.
  await sql`update cluster_nodes set lease_until = ${hub.now()}, last_heartbeat_at = ${hub.now()} where name = 'east'`.execute(
    db(),
  );
  await node('again', 'east', new Date(at.getTime() + 1e9), hub.now());
  await scene.pass(60);
  expect(await mails()).toHaveLength(1);
  await sql`update cluster_nodes set disk_percent = 80 where name = 'east'`.execute(db());
  await sql`delete from queued_mails where mail_id = 'm'`.execute(db());
  await scene.pass(60);
  expect((await mails())[1]?.resolved.map(({ subject }) => subject).toSorted()).toEqual([
    'Disk of east',
    'E-mails',
  ]);
});

test('administrators are told of a job whose last run failed', async () => {
  await scene[Symbol.asyncDispose]();
  scene = await alertScene({ database: await ownDatabase() });
  const administrator = await seedUser(scene.hub, 'admin@example.org', true);
  await ensureJobsSchema(db());
  const jobsDb = connectSql(scene.hub.database.address, { maxConnections: 2, onIdleError() {} });
  const jobs = await startJobs({
    db: jobsDb,
    schema: jobsSchema,
    jobs: [{ name: 'seal', cron: '0 0 1 1 *', run: async () => {} }],
    formerNames: [],
    log: { warn() {} },
  });
  await jobs.stop();
  await jobsDb.close();
  await scene.hub.as(administrator, 'alerts_CreateRule', {
    name: 'Hub',
    condition: { kind: 'Hub', percent: 90 },
    severity: 'Critical',
    channels: { mails: 'None' },
  });
  await sql`insert into corral_jobs.job (name, state, completed_on) values ('seal', 'failed', now())`.execute(
    db(),
  );
  await scene.pass(10);
  expect(await scene.alerts()).toMatchObject([
    { subject: 'job:seal', subject_name: 'Job seal', state: 'Firing' },
  ]);
  await sql`insert into corral_jobs.job (name, state, completed_on) values ('seal', 'completed', now() + interval '1 s')`.execute(
    db(),
  );
  await scene.pass(10);
  expect(await scene.alerts()).toMatchObject([{ state: 'Resolved', end_reason: 'Recovered' }]);
});

test('a rule whose filter names what is no more says so, and its alerts stay', async () => {
  const { hub, project } = scene;
  const device = await scene.addDevice('barn');
  const ruleId = await scene.addRule({ condition: { kind: 'Offline', forSecs: 0, filter: 'name:barn' } });
  await scene.leave([device]);
  await scene.pass(20);
  await sql`update alert_rules set condition = condition || '{"filter": "bogus.field:1"}'`.execute(db());
  await scene.pass(20);
  const rules = async () =>
    (await hub.as(project.owner, 'alerts_QueryRules', { projectId: project.projectId })).rules;
  expect(await rules()).toMatchObject([{ ruleId, problem: expect.stringContaining('bogus') }]);
  expect(await scene.alerts()).toMatchObject([{ state: 'Firing' }]);
  await sql`update alert_rules set condition = condition || '{"filter": "name:barn"}'`.execute(db());
  await scene.pass(20);
  expect((await rules())[0]?.problem).toBeUndefined();
});

test('devices that never connected are not away', async () => {
  await scene.addDevice('never', false);
  await scene.addRule({ condition: { kind: 'Offline', forSecs: 0 } });
  await scene.addRule({ condition: { kind: 'Missing', percent: 1, forSecs: 0 } });
  await scene.pass(60);
  expect(await scene.told()).toEqual([]);
});
