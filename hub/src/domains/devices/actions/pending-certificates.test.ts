import { actions, ids, maxCertificatesAtOnce, parseInput, type Actor, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { projectScene } from '../../../../test/device-scene.ts';
import { absentId, system } from '../../../../test/fresh-executor.ts';
import { mostRowsOf } from '../../../../test/plan-rows.ts';
import { recordStatements } from '../../../../test/recorded-statements.ts';
import { insertInBulk } from '../../../../test/seed-large-catalogue.ts';
import {
  newCertificate,
  newFingerprint,
  seedDevice,
  seedProject,
  seedToken,
  waitingLocks,
  type SeededProject,
} from '../../../../test/seed.ts';
import { AuthenticateDevice } from '../internal/AuthenticateDevice.ts';

const { hub, project, member } = projectScene();

type CertificateId = Id<'deviceCertificate'>;

/** A device of the project whose certificate is pending, later than all before. */
async function addPending(of: SeededProject = project) {
  hub.advance(1);
  const { token } = await seedToken(hub, of, false);
  const shown = { token, fingerprint: newFingerprint(), certificate: newCertificate() };
  await expect(
    hub.executor.run({ actor: system, origin: { ip: '198.51.100.7' } }, AuthenticateDevice, shown),
  ).rejects.toThrow();
  const { data } = hub.emittedEvents.findLast(({ name }) => name === 'devices_CertificateAdded') ?? {};
  const { deviceId, certificateId } = data as { deviceId: Id<'device'>; certificateId: CertificateId };
  return { deviceId, certificateId, shown };
}

type Pending = Awaited<ReturnType<typeof addPending>>;

const query = (actor: Actor, more: { limit?: number; after?: string; deviceIds?: Id<'device'>[] } = {}) =>
  hub.as(actor, 'projects_QueryPendingCertificates', { projectId: project.projectId, ...more });
const accept = (actor: Actor, certificateIds: CertificateId[], { projectId } = project) =>
  hub.as(actor, 'projects_AcceptDeviceCertificates', { projectId, certificateIds });
const statusOf = async (certificateId: CertificateId) =>
  (
    await hub.database.db
      .selectFrom('device_certificates')
      .select('status')
      .where('certificate_id', '=', ids.deviceCertificate.raw(certificateId))
      .executeTakeFirst()
  )?.status;
const changes = () =>
  hub.emittedEvents.filter(({ name }) => name === 'devices_CertificateStatusChanged').map(({ data }) => data);

let first: Pending;
let second: Pending;
let third: Pending;
beforeEach(async () => {
  first = await addPending();
  second = await addPending();
  third = await addPending();
  hub.emittedEvents.length = 0;
});

describe('the list of pending certificates', () => {
  const idsOf = (page: Awaited<ReturnType<typeof query>>) =>
    page.certificates.map(({ certificateId }) => certificateId);

  const rowOf = ({ deviceId, certificateId, shown: { certificate: fingerprint } }: Pending) => ({
    deviceId,
    certificateId,
    fingerprint,
    createdAt: expect.any(String),
    tokenName: 'line 1',
    address: '198.51.100.7',
  });

  test('has those that wait longest first, page by page, with the names of their devices', async () => {
    await hub.as(member, 'devices_SetDeviceName', { deviceId: second.deviceId, name: 'Press 7' });
    await sql`update devices set hostname = 'press-7' where device_id = ${ids.device.raw(second.deviceId)}`.execute(
      hub.database.db,
    );
    const whole = await query(member);
    expect(whole).toEqual({
      certificates: [
        rowOf(first),
        { ...rowOf(second), deviceName: 'Press 7', hostname: 'press-7' },
        rowOf(third),
      ],
    });
    expect(parseInput(actions.projects_QueryPendingCertificates.output, whole)).toEqual(whole);
    const page = await query(member, { limit: 2 });
    expect(idsOf(page)).toEqual([first.certificateId, second.certificateId]);
    await addPending();
    const rest = await query(member, { limit: 2, after: page.next ?? '' });
    expect(idsOf(rest)[0]).toBe(third.certificateId);
    expect(rest.certificates).toHaveLength(2);
    expect(rest.next).toBeUndefined();
  });

  test('has no certificate that was decided or deleted, and none of another project', async () => {
    const other = await seedProject(hub);
    const theirs = await addPending(other);
    await seedDevice(hub, project);
    await hub.as(member, 'devices_SetDeviceCertificateStatus', {
      certificateId: first.certificateId,
      status: 'Rejected',
    });
    await hub.as(member, 'devices_DeleteDevice', { deviceId: second.deviceId });
    expect(idsOf(await query(member))).toEqual([third.certificateId]);
    const ofOther = await hub.as(system, 'projects_QueryPendingCertificates', { projectId: other.projectId });
    expect(ofOther).toEqual({ certificates: [rowOf(theirs)] });
  });

  test('has those of some devices only, and its cursor belongs to them', async () => {
    const theirs = await addPending(await seedProject(hub));
    const deviceIds = [third.deviceId, first.deviceId];
    expect(idsOf(await query(member, { deviceIds: [...deviceIds, theirs.deviceId] }))).toEqual([
      first.certificateId,
      third.certificateId,
    ]);
    const { next: after = '' } = await query(member, { deviceIds, limit: 1 });
    expect(idsOf(await query(member, { deviceIds, after }))).toEqual([third.certificateId]);
    const refusal = await hub.refusal(member, 'projects_QueryPendingCertificates', {
      projectId: project.projectId,
      after,
    });
    expect(refusal.kind).toBe('Invalid');
  });
});

describe('accepting several certificates', () => {
  test('makes all of them active, with an event for each, and their devices are let in', async () => {
    const certificateIds = [third.certificateId, first.certificateId];
    expect(await accept(member, certificateIds)).toEqual({ acceptedIds: certificateIds, unchangedIds: [] });
    const { projectId } = project;
    expect(changes()).toEqual(
      [third, first].map(({ deviceId, certificateId }) => ({
        projectId,
        deviceId,
        certificateId,
        status: 'Active',
      })),
    );
    expect(await Promise.all([first, second, third].map((one) => statusOf(one.certificateId)))).toEqual([
      'Active',
      'Pending',
      'Active',
    ]);
    expect((await hub.run(AuthenticateDevice, third.shown)).deviceId).toBe(third.deviceId);
    expect((await hub.refused(AuthenticateDevice, second.shown)).message).toContain('pending');
    const { pendingCertificateCount } = await hub.as(member, 'projects_GetProjectDetails', { projectId });
    expect(pendingCertificateCount).toBe(1);
  });

  test('leaves those as they are that are decided, deleted, missing or of another project, and does not say which', async () => {
    const theirs = await addPending(await seedProject(hub));
    const active = await seedDevice(hub, project);
    const missing = absentId('deviceCertificate');
    await hub.as(member, 'devices_SetDeviceCertificateStatus', {
      certificateId: first.certificateId,
      status: 'Rejected',
    });
    await hub.as(member, 'devices_DeleteDevice', { deviceId: second.deviceId });
    hub.emittedEvents.length = 0;
    const unchangedIds = [first, second, theirs, active].map(({ certificateId }) => certificateId);
    unchangedIds.push(missing);
    expect(await accept(member, [...unchangedIds, third.certificateId])).toEqual({
      acceptedIds: [third.certificateId],
      unchangedIds,
    });
    expect(changes().map(({ certificateId }) => certificateId)).toEqual([third.certificateId]);
    expect(await statusOf(first.certificateId)).toBe('Rejected');
    expect(await statusOf(theirs.certificateId)).toBe('Pending');
    // Also for those who may see all projects: the input names one.
    expect(await accept(system, [theirs.certificateId])).toMatchObject({ acceptedIds: [] });
    expect(await statusOf(theirs.certificateId)).toBe('Pending');
  });

  test('at the same time as somebody else accepts each of them once', async () => {
    const { db } = hub.database;
    const certificateIds = [first, second, third].map(({ certificateId }) => certificateId);
    // Both calls begin before the first certificate can be changed.
    let calls: ReturnType<typeof accept>[] = [];
    await db.transaction().execute(async (tx) => {
      await sql`select 1 from device_certificates where certificate_id = any(${certificateIds.map(ids.deviceCertificate.raw)}) for update`.execute(
        tx,
      );
      calls = [accept(member, certificateIds), accept(project.owner, certificateIds.toReversed())];
      await vi.waitFor(async () => expect(await waitingLocks(db)).toBe(2));
    });
    const answers = await Promise.all(calls);
    const accepted = answers.flatMap(({ acceptedIds }) => acceptedIds);
    expect(accepted.toSorted()).toEqual(certificateIds.toSorted());
    expect(answers.flatMap(({ unchangedIds }) => unchangedIds).toSorted()).toEqual(certificateIds.toSorted());
    expect(changes()).toHaveLength(3);
  });

  test('needs at least one, each once, and takes at most 500', async () => {
    const { projectId } = project;
    const refusal = async (certificateIds: CertificateId[]) =>
      (await hub.refusal(member, 'projects_AcceptDeviceCertificates', { projectId, certificateIds })).message;
    const { certificateId } = first;
    expect(await refusal([])).toBe('The field certificateIds must have an entry.');
    expect(await refusal([certificateId, certificateId])).toBe(
      'The field certificateIds must have each entry only once.',
    );
    const many = Array.from({ length: maxCertificatesAtOnce + 1 }, () => absentId('deviceCertificate'));
    expect(await refusal(many)).toBe('The field certificateIds may have at most 500 entries.');
    expect((await accept(member, many.slice(1))).unchangedIds).toHaveLength(maxCertificatesAtOnce);
  });
});

test('500 certificates are found and accepted among very many that were decided, in rows of the audit log below 4 KiB', async () => {
  const { db } = hub.database;
  const { projectId } = await seedProject(hub);
  const rawId = sql`rpad('n' || n || 'x', 22, 'y')`;
  const numbers = sql`generate_series(1, 20000) n`;
  await insertInBulk(db, {
    counted: (tx) =>
      sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
        select translate(${rawId}, '0', 'z'), ${ids.project.raw(projectId)}, n::text, '', now() from ${numbers}`.execute(
        tx,
      ),
    referring: (tx) =>
      sql`insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
        select translate(${rawId}, '0', 'z'), translate(${rawId}, '0', 'z'), n::text,
          case when n <= 600 then 'Pending' else 'Active' end, now() - n * interval '1 s' from ${numbers}`.execute(
        tx,
      ),
  });
  await sql`analyze`.execute(db);
  using recorded = recordStatements();
  const page = await hub.as(system, 'projects_QueryPendingCertificates', { projectId, limit: 500 });
  const [statement] = recorded.containing('c.fingerprint, c.created_at');
  expect(await mostRowsOf(db, statement!)).toBeLessThan(1000);
  const certificateIds = page.certificates.map(({ certificateId }) => certificateId as CertificateId);
  expect(certificateIds).toHaveLength(500);
  hub.emittedEvents.length = 0;
  expect((await accept(system, certificateIds, { projectId, owner: member })).acceptedIds).toEqual(
    certificateIds,
  );
  expect(changes()).toHaveLength(500);
  const { rows } = await sql<{ bytes: number }>`
    select max(octet_length(t::text))::int as bytes from audit_actions t
    where action = 'projects_AcceptDeviceCertificates'`.execute(db);
  expect(rows[0]?.bytes).toBeLessThanOrEqual(4_096);
});
