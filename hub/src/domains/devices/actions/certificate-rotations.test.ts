import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';
import { announcedProperty, ids, type Id } from '@corral/contract';
import { describe, expect, test } from 'vitest';
import { type DeviceCertificate, deviceCertificate } from '../../../../test/device-certificate.ts';
import { rotationScene } from '../../../../test/rotation-scene.ts';
import { seedDevice, seedProject } from '../../../../test/seed.ts';
import { amounts } from '../../../limits/amounts.ts';
import { MoveRotations } from '../internal/MoveRotations.ts';
import { UnregisterDeviceConnection } from '../internal/UnregisterDeviceConnection.ts';

const {
  hub,
  project,
  member,
  device,
  next,
  goOn,
  open,
  rotation,
  offered,
  signatureOf,
  announce,
  come,
  statuses,
} = rotationScene();
const daySecs = 86_400;

describe('a rotation', () => {
  test('keeps the old certificate until the device has come with the new one and the grace is over', async () => {
    const old = device.shown.certificate;
    await come(old);
    expect(await open({ graceSecs: 600 })).toMatchObject({ devices: 1 });
    expect(await offered()).toMatchObject({
      nonce: expect.stringMatching(/^[\w-]{32}$/),
      until: expect.any(String),
    });
    expect(await announce()).toEqual({ result: 'Set' });
    expect(await rotation()).toMatchObject({ state: 'Announced', graceSecs: 600 });
    expect(await statuses()).toEqual({ [old]: 'Active', [next.fingerprint]: 'Active' });
    await come(old);
    expect(await rotation()).toMatchObject({ state: 'Announced' });
    await come(next.fingerprint);
    expect(await rotation()).toMatchObject({ state: 'Arrived', oldEndsAt: expect.any(String) });
    expect(await offered()).toBeUndefined();
    hub.advance(590);
    await hub.run(MoveRotations);
    expect(await statuses()).toEqual({ [old]: 'Active', [next.fingerprint]: 'Active' });
    hub.advance(20);
    await hub.run(MoveRotations);
    expect(await statuses()).toEqual({ [old]: 'Revoked', [next.fingerprint]: 'Active' });
    expect(await rotation()).toMatchObject({ state: 'Completed', endedAt: expect.any(String) });
    await expect(come(old)).rejects.toThrow('was revoked');
    const names = hub.emittedEvents.map(({ name }) => name).filter((name) => name.includes('Rotation'));
    expect(names.map((name) => name.replace('devices_CertificateRotation', ''))).toEqual([
      'Started',
      'Announced',
      'Arrived',
      'Completed',
    ]);
  });

  test('keeps the old certificate of a device that came for a moment and is away, until it comes again', async () => {
    const old = device.shown.certificate;
    await open({ graceSecs: 600 });
    await announce();
    const connectionId = await come(next.fingerprint);
    await hub.run(UnregisterDeviceConnection, { connectionId });
    hub.advance(daySecs);
    await hub.run(MoveRotations);
    expect(await statuses()).toEqual({ [old]: 'Active', [next.fingerprint]: 'Active' });
    expect(await rotation()).toMatchObject({ state: 'Arrived' });
    await come(next.fingerprint);
    expect(await statuses()).toEqual({ [old]: 'Revoked', [next.fingerprint]: 'Active' });
  });

  test('ends without a change where the device went back to its old certificate', async () => {
    const old = device.shown.certificate;
    await open({ graceSecs: 600 });
    await announce();
    await come(next.fingerprint);
    await come(old);
    hub.advance(601);
    await hub.run(MoveRotations);
    expect(await rotation()).toMatchObject({ state: 'RolledBack' });
    expect(await statuses()).toEqual({ [old]: 'Active', [next.fingerprint]: 'Active' });
  });

  test('waits for a device that has announced and is away, also after its window', async () => {
    await open();
    await announce();
    hub.advance(3 * daySecs);
    await hub.run(MoveRotations);
    expect(await rotation()).toMatchObject({ state: 'Announced' });
    await come(next.fingerprint);
    expect(await rotation()).toMatchObject({ state: 'Arrived' });
  });

  test('says that a device has announced and is still connected with the old one, and ends with its window', async () => {
    await come(device.shown.certificate);
    await open();
    await announce();
    hub.advance(16 * 60);
    await come(device.shown.certificate);
    expect(await rotation()).toMatchObject({
      state: 'Announced',
      problem: expect.stringContaining('old one'),
    });
    hub.advance(daySecs);
    await hub.run(MoveRotations);
    expect(await rotation()).toMatchObject({ state: 'RolledBack' });
    expect(await offered()).toBeUndefined();
  });

  test('expires where nothing is announced in its window', async () => {
    await open({ windowSecs: 3_600 });
    hub.advance(3_601);
    await expect(announce()).rejects.toThrow('an owner of its project opens a window');
    await hub.run(MoveRotations);
    expect(await rotation()).toMatchObject({ state: 'Expired' });
    expect(await offered()).toBeUndefined();
  });

  test('revokes what was announced before and not used, too', async () => {
    await open({ graceSecs: 0 });
    await announce();
    await open({ graceSecs: 0 });
    hub.advance(1);
    const third = await deviceCertificate();
    await announce(third);
    await come(third.fingerprint);
    hub.advance(1);
    await hub.run(MoveRotations);
    expect(await statuses()).toEqual({
      [device.shown.certificate]: 'Revoked',
      [next.fingerprint]: 'Revoked',
      [third.fingerprint]: 'Active',
    });
  });

  test('is cancelled by an owner, and leaves all certificates', async () => {
    await open();
    await announce();
    await hub.as(project.owner, 'devices_CancelCertificateRotation', { deviceId: device.deviceId });
    expect(await rotation()).toMatchObject({ state: 'Cancelled' });
    expect(await statuses()).toEqual({ [device.shown.certificate]: 'Active', [next.fingerprint]: 'Active' });
    await expect(
      hub.as(project.owner, 'devices_CancelCertificateRotation', { deviceId: device.deviceId }),
    ).rejects.toThrow('not being rotated');
  });
});

describe('an announcement', () => {
  test('is taken again where its answer was lost', async () => {
    await open();
    const nonce = (await offered())?.nonce ?? '';
    await announce();
    expect(await announce()).toEqual({ result: 'Set' });
    await come(next.fingerprint);
    expect(await announce(next, signatureOf(next, nonce))).toEqual({ result: 'Set' });
    expect(await rotation()).toMatchObject({ state: 'Arrived' });
  });

  test('without a window adds nothing', async () => {
    await expect(announce()).rejects.toThrow('an owner of its project opens a window');
    expect(await statuses()).toEqual({ [device.shown.certificate]: 'Active' });
  });

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'a nonce of another',
      async () => announce(next, signatureOf(next, 'other')),
      'The signature is not that',
    ],
    ['no signature', () => announce(next, ''), 'The signature is not that'],
    [
      'a signature for another device',
      async () =>
        announce(next, signatureOf(next, (await offered())?.nonce ?? '', ids.device.of('1'.repeat(22)))),
      'The signature is not that',
    ],
    ['text', () => announce({ ...next, certificatePem: 'text' }), 'no certificate in PEM'],
    [
      'a curve that is not known',
      () => announce(withBytes(next, '2a8648ce3d030107', '2a8648ce3d03017e')),
      'no certificate in PEM',
    ],
    [
      'an end that is no date',
      () =>
        announce(withBytes(next, Buffer.from(endOf(next)).toString('hex'), '58'.repeat(endOf(next).length))),
      'expired already',
    ],
    ['a key of RSA', async () => announce(await rsaCertificate(), 'AA=='), 'ECDSA P-256 or Ed25519'],
  ])('with %s is refused, noted, and changes nothing', async (_, act, sentence) => {
    await open();
    await expect(act()).rejects.toThrow(sentence);
    expect(await statuses()).toEqual({ [device.shown.certificate]: 'Active' });
    expect(await rotation()).toMatchObject({ state: 'Open', problem: expect.stringContaining(sentence) });
  });

  test('of the certificate of another device is refused, also of another project', async () => {
    const other = await seedDevice(hub, await seedProject(hub, 'Other'));
    await hub.as({ actor: 'System', kind: 'System' }, 'devices_AddDeviceCertificate', {
      deviceId: other.deviceId,
      fingerprint: next.fingerprint,
    });
    await open();
    await expect(announce()).rejects.toThrow('that of another device');
  });

  test('of a certificate that was revoked is refused', async () => {
    await open({ graceSecs: 0 });
    await announce();
    const { certificates } = await hub.as(member, 'devices_GetDeviceDetails', { deviceId: device.deviceId });
    const { certificateId } = certificates.find(({ fingerprint }) => fingerprint === next.fingerprint)!;
    await hub.as(project.owner, 'devices_SetDeviceCertificateStatus', { certificateId, status: 'Revoked' });
    await expect(announce()).rejects.toThrow('has or had this certificate already');
    await expect(come(next.fingerprint)).rejects.toThrow('was revoked');
  });

  test('to a device that has as many certificates as it may is refused, and adds none', async () => {
    for (let count = 1; count < amounts.certificates.max; count += 1)
      await hub.as(project.owner, 'devices_AddDeviceCertificate', {
        deviceId: device.deviceId,
        fingerprint: fingerprintOf(count),
        status: 'Active',
      });
    await open();
    const { length } = hub.emittedEvents;
    await expect(announce()).rejects.toThrow('may have no more');
    expect((await statuses())[next.fingerprint]).toBeUndefined();
    expect(hub.emittedEvents).toHaveLength(length);
    expect(await rotation()).toMatchObject({
      state: 'Open',
      problem: expect.stringContaining('may have no more'),
    });
  });

  test('by a person is a property as any other', async () => {
    await open();
    await hub.as(project.owner, 'devices_SetDeviceProperty', {
      deviceId: device.deviceId,
      name: announcedProperty,
      value: 'text',
    });
    expect(await rotation()).toMatchObject({ state: 'Open' });
  });
});

describe('rights', () => {
  test('only an owner opens and ends windows; all members see them', async () => {
    await expect(open({}, member)).rejects.toThrow('Only an owner');
    await open();
    await expect(
      hub.as(member, 'devices_CancelCertificateRotation', { deviceId: device.deviceId }),
    ).rejects.toThrow('Only an owner');
    const { rotations } = await hub.as(member, 'devices_QueryCertificateRotations', {
      projectId: project.projectId,
    });
    expect(rotations).toMatchObject([{ deviceId: device.deviceId, state: 'Open' }]);
    const change = { kind: 'RotateCertificates' } as const;
    const input = { projectId: project.projectId, query: 'all', change };
    const { previewHash } = await hub.as(member, 'fleet_PreviewChange', input);
    await expect(hub.as(member, 'fleet_ApplyChange', { ...input, previewHash })).rejects.toThrow(
      'Only an owner',
    );
  });

  test('a filter opens windows for those that it finds and that have an active certificate', async () => {
    const others: Id<'device'>[] = [];
    for (let count = 0; count < 3; count += 1) others.push((await seedDevice(hub, project)).deviceId);
    const [without] = others as [Id<'device'>];
    const { certificates } = await hub.as(member, 'devices_GetDeviceDetails', { deviceId: without });
    for (const { certificateId } of certificates)
      await hub.as(project.owner, 'devices_SetDeviceCertificateStatus', { certificateId, status: 'Revoked' });
    const input = { projectId: project.projectId, query: 'all' };
    expect(await hub.as(project.owner, 'devices_StartCertificateRotation', input)).toMatchObject({
      devices: 3,
    });
    await goOn();
    const { rotations } = await hub.as(member, 'devices_QueryCertificateRotations', {
      projectId: project.projectId,
    });
    expect(rotations.map(({ deviceId }) => deviceId).toSorted()).toEqual(
      [device.deviceId, ...others.slice(1)].toSorted(),
    );
    await expect(
      hub.as(project.owner, 'devices_StartCertificateRotation', { deviceId: without }),
    ).rejects.toThrow('It has no active certificate.');
    await expect(hub.as(project.owner, 'devices_StartCertificateRotation', {})).rejects.toThrow('Say whose');
  });
});

/** Self-signed by a key that no device makes. */
async function rsaCertificate(): Promise<DeviceCertificate> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const made = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=device',
    keys,
    signingAlgorithm: algorithm,
  });
  return { ...next, certificatePem: made.toString('pem') };
}

/** The fingerprint of a certificate that nobody has. */
const fingerprintOf = (count: number): string =>
  Array.from({ length: 32 }, () => count.toString(16).padStart(2, '0').toUpperCase()).join(':');

/** The same certificate with other bytes, given in hex. */
function withBytes(certificate: DeviceCertificate, from: string, to: string): DeviceCertificate {
  const { raw } = new X509Certificate(certificate.certificatePem);
  const base64 = Buffer.from(raw.toString('hex').replaceAll(from, to), 'hex').toString('base64');
  return {
    ...certificate,
    certificatePem: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

/** When a certificate ends, as it is written in it. */
function endOf({ certificatePem }: DeviceCertificate): string {
  const text = new X509Certificate(certificatePem).raw.toString('latin1');
  return [...text.matchAll(/\d{12,14}Z/g)][1]![0];
}
