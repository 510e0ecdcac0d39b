import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newRawId } from '../../../auth/random.ts';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { newCertificate, newFingerprint, seedProject, seedToken } from '../../../../test/seed.ts';
import { DrainDeletedDevices } from '../internal/DrainDeletedDevices.ts';
import { AuthenticateDevice } from '../internal/AuthenticateDevice.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

const show = (token: `deployment_${string}`) => ({
  token,
  fingerprint: newFingerprint(),
  certificate: newCertificate(),
});

const certificatesOf = (fingerprint: `d_sk_${string}`) =>
  hub.database.db
    .selectFrom('device_certificates as c')
    .innerJoin('devices as d', 'd.device_id', 'c.device_id')
    .where('d.fingerprint_id', '=', ids.deviceFingerprint.raw(fingerprint).slice(0, 22))
    .select(['c.certificate_id', 'c.status', 'c.fingerprint'])
    .orderBy('c.created_at')
    .orderBy('c.status')
    .execute();

describe('a new device', () => {
  test('is admitted immediately with an accepting token, with two events', async () => {
    const project = await seedProject(hub);
    const { token, tokenId } = await seedToken(hub, project);
    const shown = show(token);
    hub.emittedEvents.length = 0;
    const admission = await hub.run(AuthenticateDevice, shown);
    expect(admission).toEqual({
      projectId: project.projectId,
      deviceId: expect.stringMatching(/^d_/),
      tokenId,
      fingerprintId: `d_pk_${ids.deviceFingerprint.raw(shown.fingerprint).slice(0, 22)}`,
      certificateId: expect.stringMatching(/^d_c_/),
      actor: { actor: 'Device', kind: 'Device', deviceId: admission.deviceId, tokenId },
    });
    expect(hub.emittedEvents.map(({ name, data }) => ({ name, data }))).toEqual([
      { name: 'devices_Created', data: { deviceId: admission.deviceId, projectId: project.projectId } },
      {
        name: 'devices_CertificateAdded',
        data: {
          projectId: project.projectId,
          deviceId: admission.deviceId,
          certificateId: admission.certificateId,
          status: 'Active',
        },
      },
    ]);
    expect(await hub.run(AuthenticateDevice, shown)).toEqual(admission);
  });

  test('is stored with a pending certificate and refused with a token that does not accept', async () => {
    const { token } = await seedToken(hub, await seedProject(hub), false);
    const shown = show(token);
    hub.emittedEvents.length = 0;
    const refused = await hub.refused(AuthenticateDevice, shown);
    expect(refused).toEqual({ kind: 'Forbidden', message: expect.stringContaining('pending') });
    expect(hub.emittedEvents.map(({ name }) => name)).toEqual([
      'devices_Created',
      'devices_CertificateAdded',
    ]);
    expect(await hub.refused(AuthenticateDevice, shown)).toEqual(refused);
    expect(await certificatesOf(shown.fingerprint)).toMatchObject([{ status: 'Pending' }]);
  });

  test('is one device when its first connections race', async () => {
    const { token } = await seedToken(hub, await seedProject(hub));
    const shown = show(token);
    const admissions = await Promise.all(
      Array.from({ length: 12 }, () => hub.run(AuthenticateDevice, shown)),
    );
    expect(new Set(admissions.map(({ deviceId }) => deviceId)).size).toBe(1);
    expect(await certificatesOf(shown.fingerprint)).toHaveLength(1);
  });

  test('is one device when its first connections race with different certificates: one is active', async () => {
    const { token } = await seedToken(hub, await seedProject(hub));
    const shown = show(token);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        hub.run(AuthenticateDevice, { ...shown, certificate: newCertificate() }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const statuses = (await certificatesOf(shown.fingerprint)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(['Active', 'Pending', 'Pending', 'Pending']);
  });
});

describe('a known device', () => {
  test('with an unknown certificate gets a pending one, although the token accepts', async () => {
    const { token } = await seedToken(hub, await seedProject(hub));
    const shown = show(token);
    await hub.run(AuthenticateDevice, shown);
    const renewed = { ...shown, certificate: newCertificate() };
    const refused = await hub.refused(AuthenticateDevice, renewed);
    expect(refused.message).toContain('pending');
    expect(await certificatesOf(shown.fingerprint)).toMatchObject([
      { status: 'Active' },
      { status: 'Pending' },
    ]);
  });

  test('is another device in another project', async () => {
    const [here, there] = [await seedProject(hub), await seedProject(hub)];
    const shown = show((await seedToken(hub, here)).token);
    const first = await hub.run(AuthenticateDevice, shown);
    const { token } = await seedToken(hub, there);
    const second = await hub.run(AuthenticateDevice, { ...shown, token });
    expect(second.deviceId).not.toBe(first.deviceId);
  });
});

describe('invalid credentials', () => {
  test('an unknown token and a wrong secret get the same answer', async () => {
    const { token } = await seedToken(hub, await seedProject(hub));
    const unknown = show(ids.deploymentToken.of(newRawId() + newRawId() + newRawId()));
    const forged = show(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` as typeof token);
    const refused = await hub.refused(AuthenticateDevice, unknown);
    expect(refused.kind).toBe('NotSignedIn');
    expect(await hub.refused(AuthenticateDevice, forged)).toEqual(refused);
    expect(await certificatesOf(forged.fingerprint)).toEqual([]);
  });

  test('another fingerprint under the id of a device is refused and adds nothing', async () => {
    const { token } = await seedToken(hub, await seedProject(hub));
    const shown = show(token);
    await hub.run(AuthenticateDevice, shown);
    const last = shown.fingerprint.endsWith('A') ? 'B' : 'A';
    const forged = ids.deviceFingerprint.of(ids.deviceFingerprint.raw(shown.fingerprint).slice(0, -1) + last);
    const input = { ...shown, fingerprint: forged, certificate: newCertificate() };
    expect((await hub.refused(AuthenticateDevice, input)).kind).toBe('NotSignedIn');
    expect(await certificatesOf(shown.fingerprint)).toHaveLength(1);
  });
});

describe('limits', () => {
  test('a project admits 100 new devices in 10 seconds, and more afterwards', async () => {
    const { token } = await seedToken(hub, await seedProject(hub));
    await Promise.all(Array.from({ length: 100 }, () => hub.run(AuthenticateDevice, show(token))));
    expect((await hub.refused(AuthenticateDevice, show(token))).kind).toBe('Throttled');
    hub.advance(10);
    await hub.run(AuthenticateDevice, show(token));
  });

  test('a project has at most 10,000 pending certificates', async () => {
    const project = await seedProject(hub);
    const { token, tokenId } = await seedToken(hub, project, false);
    await sql`
      with enrolled as (
        insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, enrolled_by, created_at)
        select 'old-' || i, ${ids.project.raw(project.projectId)}, 'old-' || i, '', ${ids.deploymentTokenId.raw(tokenId)}, to_timestamp(0)
        from generate_series(1, 10000) i returning device_id
      )
      insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
      select device_id, device_id, '', 'Pending', to_timestamp(0) from enrolled`.execute(hub.database.db);
    // Plans that were made for empty tables take half a minute.
    await sql`analyze`.execute(hub.database.db);
    const refused = await hub.refused(AuthenticateDevice, show(token));
    expect(refused).toEqual({ kind: 'Invalid', message: expect.stringContaining('pending') });
    const accepting = await seedToken(hub, project);
    await hub.run(AuthenticateDevice, show(accepting.token));
  });

  async function withCertificates(status: 'Pending' | 'Rejected' | 'Revoked', count: number) {
    const project = await seedProject(hub);
    const shown = show((await seedToken(hub, project)).token);
    const { deviceId } = await hub.run(AuthenticateDevice, shown);
    await sql`insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
      select ${deviceId} || lpad(i::text, 4, '0'), ${ids.device.raw(deviceId)}, i, ${status}, to_timestamp(i) from generate_series(1, ${count}::int) i`.execute(
      hub.database.db,
    );
    const details = () => hub.as(project.owner, 'devices_GetDeviceDetails', { deviceId });
    const another = () => ({ ...shown, certificate: newCertificate() });
    return { project, deviceId, shown, another, details };
  }

  test.each(['Pending', 'Revoked'] as const)(
    'a device with 99 more %s certificates gets no further one, from whomever',
    async (status) => {
      const { project, deviceId, shown, another, details } = await withCertificates(status, 99);
      const refusal = {
        kind: 'Invalid',
        message: expect.stringMatching(/^The device has 100 certificates, and may have no more\./),
      };
      expect(await hub.refused(AuthenticateDevice, another())).toEqual(refusal);
      const byMember = { deviceId, fingerprint: newCertificate(), status: 'Active' };
      expect(await hub.refusal(project.owner, 'devices_AddDeviceCertificate', byMember)).toEqual(refusal);
      expect((await details()).certificates).toHaveLength(100);
      await hub.run(AuthenticateDevice, shown);
    },
  );

  test('a further certificate of a device replaces the oldest rejected one', async () => {
    const { project, deviceId, another, details } = await withCertificates('Rejected', 99);
    hub.emittedEvents.length = 0;
    expect((await hub.refused(AuthenticateDevice, another())).message).toContain('pending');
    const deleted = hub.emittedEvents.find(({ name }) => name === 'devices_CertificateDeleted');
    expect(deleted?.data).toMatchObject({ deviceId, certificateId: expect.stringMatching(/0001$/) });
    const byMember = { deviceId, fingerprint: newCertificate(), status: 'Rejected' } as const;
    const { certificateId } = await hub.as(project.owner, 'devices_AddDeviceCertificate', byMember);
    const { certificates } = await details();
    expect(certificates).toHaveLength(100);
    expect(certificates.map((one) => one.certificateId)).toContain(certificateId);
    expect(certificates.at(-1)?.certificateId).toMatch(/0003$/);
  });

  test('of the certificates that a device has from before there was a limit, active ones are shown first', async () => {
    const { shown, details } = await withCertificates('Revoked', 150);
    const { certificates } = await details();
    expect(certificates).toHaveLength(100);
    expect(certificates.map(({ fingerprint }) => fingerprint)).toContain(shown.certificate);
  });

  test('the last use of a token is recorded at most once a minute', async () => {
    const { token, tokenId } = await seedToken(hub, await seedProject(hub));
    const shown = show(token);
    const lastUse = async () =>
      (
        await hub.database.db
          .selectFrom('deployment_tokens')
          .select('last_used_at')
          .where('token_id', '=', ids.deploymentTokenId.raw(tokenId))
          .executeTakeFirstOrThrow()
      ).last_used_at;
    await hub.run(AuthenticateDevice, shown);
    const first = await lastUse();
    expect(first).not.toBeNull();
    hub.advance(59);
    await hub.run(AuthenticateDevice, shown);
    expect(await lastUse()).toBe(first);
    hub.advance(1);
    await hub.run(AuthenticateDevice, shown);
    expect(Date.parse((await lastUse()) ?? '')).toBe(hub.now().getTime());
  });
});

describe('what was deleted', () => {
  const daySecs = 86_400;
  const enrolled = async () => {
    const project = await seedProject(hub);
    const { token } = await seedToken(hub, project);
    const shown = show(token);
    return { project, shown, ...(await hub.run(AuthenticateDevice, shown)) };
  };
  const isPending = (shown: ReturnType<typeof show>) =>
    expect(hub.refused(AuthenticateDevice, shown)).resolves.toEqual({
      kind: 'Forbidden',
      message: expect.stringContaining('pending'),
    });

  test('waits for an operator when it comes back, whatever the token says, and is let in once accepted', async () => {
    const { project, shown, deviceId } = await enrolled();
    await hub.as(project.owner, 'devices_DeleteDevice', { deviceId });
    await isPending(shown);
    const [waiting] = await certificatesOf(shown.fingerprint);
    await hub.as(project.owner, 'devices_SetDeviceCertificateStatus', {
      certificateId: ids.deviceCertificate.of(waiting!.certificate_id),
      status: 'Active',
    });
    expect((await hub.run(AuthenticateDevice, shown)).deviceId).not.toBe(deviceId);
  });

  test.each(['fingerprint', 'certificate'] as const)('is known by its %s alone', async (kept) => {
    const { project, shown, deviceId } = await enrolled();
    await hub.as(project.owner, 'devices_DeleteDevice', { deviceId });
    await isPending({ ...show(shown.token), [kept]: shown[kept] });
  });

  test('is also a certificate alone, and one that made room for another', async () => {
    const { project, shown, deviceId, certificateId } = await enrolled();
    await hub.as(project.owner, 'devices_DeleteDeviceCertificate', { certificateId });
    await isPending({ ...show(shown.token), certificate: shown.certificate });
    const rejected = newCertificate();
    for (const [certificate, status] of [
      [rejected, 'Rejected'],
      ...Array.from({ length: 100 }, () => [newCertificate(), 'Active'] as const),
    ] as const)
      await hub.as(project.owner, 'devices_AddDeviceCertificate', {
        deviceId,
        fingerprint: certificate,
        status,
      });
    hub.advance(11);
    await isPending({ ...show(shown.token), certificate: rejected });
  });

  test('is forgotten after 30 days, by a job', async () => {
    const { project, shown, deviceId } = await enrolled();
    await hub.as(project.owner, 'devices_DeleteDevice', { deviceId });
    const noted = () =>
      hub.database.db
        .selectFrom('deleted_identities')
        .select('identity')
        .where('project_id', '=', ids.project.raw(project.projectId))
        .execute();
    hub.advance(30 * daySecs - 60);
    await hub.run(DrainDeletedDevices);
    expect(await noted()).toHaveLength(2);
    hub.advance(61);
    await hub.run(DrainDeletedDevices);
    expect(await noted()).toEqual([]);
    await hub.run(AuthenticateDevice, shown);
  });

  test('of one project holds up no device of another', async () => {
    const { project, shown, deviceId } = await enrolled();
    await hub.as(project.owner, 'devices_DeleteDevice', { deviceId });
    const { token } = await seedToken(hub, await seedProject(hub));
    await hub.run(AuthenticateDevice, { ...shown, token });
  });
});

test('a certificate that another device of the project has waits for an operator, with what to do', async () => {
  const project = await seedProject(hub);
  const { token } = await seedToken(hub, project);
  const first = show(token);
  await hub.run(AuthenticateDevice, first);
  const copy = { ...show(token), certificate: first.certificate };
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(await hub.refused(AuthenticateDevice, copy)).toEqual({
      kind: 'Forbidden',
      message: expect.stringMatching(
        /pending, because another device .* give its agent the lost file fingerprint back/,
      ),
    });
  await hub.run(AuthenticateDevice, first);
  const [waiting] = await certificatesOf(copy.fingerprint);
  await hub.as(project.owner, 'devices_SetDeviceCertificateStatus', {
    certificateId: ids.deviceCertificate.of(waiting!.certificate_id),
    status: 'Active',
  });
  await hub.run(AuthenticateDevice, copy);
});
