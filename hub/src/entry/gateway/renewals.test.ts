import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenLink } from '../../../test/device-client.ts';
import { deviceIdOf } from '../../../test/gateway-scene.ts';
import { type Comer, issuedElsewhere, issuingScene, type IssuingScene } from '../../../test/issuing-scene.ts';
import { makeAuthority } from '../../domains/certificates/policy/issuing.ts';
import { amounts } from '../../limits/amounts.ts';

const daySecs = 86_400;
let scene: IssuingScene;
beforeEach(async () => void (scene = await issuingScene()));
afterEach(() => scene[Symbol.asyncDispose]());

async function linked(token?: string): Promise<{ comer: Comer; link: OpenLink; deviceId: Id<'device'> }> {
  const comer = await scene.newComer();
  const link = await scene.open(comer, token);
  return { comer, link, deviceId: await deviceIdOf(link) };
}

const refusedToDelete = async (authorityId: Id<'certificateAuthority'>): Promise<string> =>
  (
    await scene.hub.refusal(scene.owner, 'projects_DeleteCertificateAuthority', {
      projectId: scene.projectId,
      authorityId,
    })
  ).message;

test('a certificate request with many lines of headers is refused, and holds nothing up', async () => {
  await scene.createAuthority();
  const { link, deviceId } = await linked();
  const rpc = await link.rpc();
  const text = `-----BEGIN A-----\na: b\n${' a: b\n'.repeat(60)}!`;
  const inside = `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(text).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  for (const request of [text, inside])
    await expect(rpc.invoke('devices_IssueCertificate', { deviceId, request })).rejects.toThrow(/PKCS #10/);
  link.connection.close('');
});

test('a device is issued another certificate however many of its certificates have ended', async () => {
  await scene.createAuthority();
  const { comer, link, deviceId } = await linked();
  const rawId = ids.device.raw(deviceId);
  const { db } = scene.hub.database;
  const past = new Date(scene.hub.now().getTime() - 1_000);
  await sql`
    insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at, ends_at)
    select 'c' || n, ${rawId}, 'f' || n, 'Revoked', ${past}, ${past} from generate_series(2, ${amounts.certificates.max}::int) n`.execute(
    db,
  );
  await sql`
    insert into certificate_rotations (rotation_id, project_id, device_id, nonce, state, grace_secs, started_by, started_at, until, ended_at)
    select 'r' || n, 'p', ${rawId}, 'n', 'Completed', 1, '{}', ${past}, ${past}, ${past} from generate_series(1, 30) n`.execute(
    db,
  );
  const pair = await scene.issue(link);
  expect(await scene.refused({ ...comer, pair })).toBe('admitted');
  const { rows } = await sql<{ ended: number }>`
    select count(*) as ended from certificate_rotations where device_id = ${rawId} and ended_at is not null`.execute(
    db,
  );
  expect(rows[0]?.ended).toBe(amounts.endedRotations.max);
  link.connection.close('');
});

test('a certificate that has ended stays so when its authority is deleted, and the demand ends', async () => {
  const { authorityId } = await scene.createAuthority();
  await scene.demand(false, { validForDays: 1 });
  const { comer, link } = await linked();
  const pair = await scene.issue(link);
  link.connection.close('');
  const issued = { ...comer, pair };
  expect(await scene.refused(issued)).toBe('admitted');
  scene.hub.advance(daySecs + 1);
  expect(await scene.refused(issued)).toBe('ended');
  const { projectId, owner } = scene;
  await scene.hub.as(owner, 'projects_DeleteCertificateAuthority', { projectId, authorityId });
  expect(await scene.refused(issued)).toBe('revoked');
  await scene.createAuthority();
  await scene.demand(true);
  await scene.demand(false);
  expect(await scene.refused(issued)).toBe('revoked');
});

test('an authority that has ended signs nobody in, and is not enough for a demand', async () => {
  const elsewhere = await makeAuthority('Plant', scene.hub.now());
  const { token } = await scene.newToken(false);
  await scene.createAuthority({ certificatePem: elsewhere.certificatePem });
  await sql`update certificate_authorities set ends_at = ${scene.hub.now()}`.execute(scene.hub.database.db);
  const pair = await issuedElsewhere(elsewhere, 'x', scene.hub.now());
  expect(await scene.refused({ ...(await scene.newComer()), pair }, token)).toBe('pending');
  await expect(scene.demand(true)).rejects.toThrow(/Create a certificate authority first/);
  const { authorityId } = await scene.createAuthority();
  await scene.demand(true);
  expect(await refusedToDelete(authorityId)).toMatch(/this is the last one/);
});

test('a certificate that is issued again in the place of one that was never used has the whole window', async () => {
  await scene.createAuthority();
  const { link, deviceId } = await linked();
  await scene.issue(link);
  const until = async () => {
    const { rotations } = await scene.hub.as(scene.owner, 'devices_QueryCertificateRotations', {
      projectId: scene.projectId,
      deviceId,
    });
    return Date.parse(rotations[0]!.until) - scene.hub.now().getTime();
  };
  const whole = await until();
  scene.hub.advance(61);
  await scene.issue(link);
  expect(await until()).toBe(whole);
  link.connection.close('');
});

test('a device that is paired again keeps its pairing for a new certificate where the old one has ended', async () => {
  await scene.createAuthority();
  await scene.demand(true);
  const { comer, link, deviceId } = await linked();
  link.connection.close('');
  scene.hub.advance(daySecs + 1);
  await sql`
    update deployment_tokens set is_for_one = true, auto_accept = false, device_id = ${ids.device.raw(deviceId)},
      accepts_until = ${new Date(scene.hub.now().getTime() + 60_000)}`.execute(scene.hub.database.db);
  expect(await scene.refused(comer)).toBe('ended');
  const { pair } = await scene.newComer();
  expect(await scene.refused({ ...comer, pair })).toBe('admitted');
});
