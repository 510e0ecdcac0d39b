import { X509Certificate } from 'node:crypto';
import { ids, type Id } from '@corral/contract';
import { RpcError } from '@corral/multiplex';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { OpenLink } from '../../../test/device-client.ts';
import { deviceIdOf } from '../../../test/gateway-scene.ts';
import {
  certificateRequest,
  type Comer,
  fingerprintOf,
  issuedElsewhere,
  issuingScene,
  type IssuingScene,
} from '../../../test/issuing-scene.ts';
import { seedMember } from '../../../test/seed.ts';
import { makeAuthority } from '../../domains/certificates/policy/issuing.ts';
import { MoveRotations } from '../../domains/devices/internal/MoveRotations.ts';

const daySecs = 86_400;
let scene: IssuingScene;
/** Each of the parts below has a project of its own. */
function ofOwnScene(prepare: () => Promise<unknown> = () => Promise.resolve()): void {
  beforeAll(async () => {
    scene = await issuingScene();
    await prepare();
  });
  afterAll(() => scene[Symbol.asyncDispose]());
}

const isEnded = ({ connection }: OpenLink) => vi.waitFor(() => expect(connection.end).toBeDefined());

/** A device that is connected with its first certificate. */
async function linked(): Promise<{ comer: Comer; link: OpenLink; deviceId: Id<'device'> }> {
  const comer = await scene.newComer();
  const link = await scene.open(comer);
  return { comer, link, deviceId: await deviceIdOf(link) };
}

/** For a key of RSA with 1024 bits. */
const weakRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIIBSzCBtQIBADAMMQowCAYDVQQDDAF4MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB
iQKBgQDPtOyCREPqj531InXMbVR/YUTztGrkULoEoQZwELilF974CDjuhL0F2W9B
Kg01WevG69Gpt0sf9flkzjQ4g1l9FkyYBLx6w7Up1wexOAXUCo0mn0A/AWFGE4Sh
j6K59km6A/KY0NcW3xQpLp8FcKQAP3eLpSnEcBfiG991hRUZtQIDAQABoAAwDQYJ
KoZIhvcNAQELBQADgYEAgElVt6pksf5hpYKWfNhbD2TMisFIj58PzszrTB6F3gJT
2nMmqsQLwmyvD/Xn8c+Wh0M2e1e+WqcwHuEK/erhPZAA5PoR/PkSFFupOk3HmMiD
K2mAzfI6ww+nm/YlGLmNiCbc5sUUE0gzZtOMJ1UlMqzO0uH7kBjHZTnanAn0WTg=
-----END CERTIFICATE REQUEST-----
`;

const refusal = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RpcError)) throw new Error('not refused', { cause: error });
  return error.message;
};

describe('a project with an authority of the hub', () => {
  let authorityId: string;
  ofOwnScene(async () => void ({ authorityId } = await scene.createAuthority()));

  test('issues a certificate to a device, which comes with it, after which the old one is revoked', async () => {
    const { comer, link, deviceId } = await linked();
    expect(await scene.isDue(link)).toBe(true);
    const pair = await scene.issue(link);
    const [authority] = (await scene.policy()).authorities;
    const issued = new X509Certificate(pair.certificatePem);
    expect(authority).toMatchObject({ authorityId, isIssuing: true });
    const issuer = new X509Certificate(authority!.certificatePem);
    expect(issuer.ca && issued.verify(issuer.publicKey) && issued.checkIssued(issuer)).toBe(true);
    expect(issued).toMatchObject({ subject: `CN=${deviceId}`, ca: false, keyUsage: ['1.3.6.1.5.5.7.3.2'] });
    expect(issued.serialNumber).toMatch(/^[0-9A-F]{30,34}$/);
    expect(issued.validToDate.getTime() - scene.hub.now().getTime()).toBeCloseTo(30 * daySecs * 1000, -4);
    scene.hub.advance(1);
    const renewed = await scene.open({ ...comer, pair });
    expect(await scene.isDue(renewed)).toBe(false);
    expect(await refusal(scene.issue(renewed))).toMatch(/^No other certificate is due/);
    await scene.hub.run(MoveRotations);
    scene.hub.advance(daySecs + 1);
    await scene.hub.run(MoveRotations);
    await isEnded(link);
    expect(await scene.refused(comer)).toBe('revoked');
    const certificates = await scene.certificatesOf(deviceId);
    expect(certificates.get(fingerprintOf(pair))).toMatchObject({ status: 'Active', authorityId });
    renewed.connection.close('');
    const { entries } = await scene.hub.as(scene.owner, 'devices_QueryTimeline', { deviceId });
    expect(entries.map(({ title }) => title)).toContain('Certificate issued by an authority of the project');
  });

  test('issues again from two thirds of the life of a certificate on, and not before', async () => {
    const { comer, link } = await linked();
    const pair = await scene.issue(link);
    link.connection.close('');
    scene.hub.advance(20 * daySecs - 600);
    const first = await scene.open({ ...comer, pair });
    expect(await scene.isDue(first)).toBe(false);
    await scene.hub.run(MoveRotations);
    scene.hub.advance(1_200);
    // The time of grace of the one before is not over.
    expect(await scene.isDue(first)).toBe(false);
    scene.hub.advance(daySecs);
    await scene.hub.run(MoveRotations);
    const again = await scene.open({ ...comer, pair });
    expect(await scene.isDue(again)).toBe(true);
    const next = await scene.issue(again);
    expect(await scene.refused({ ...comer, pair: next })).toBe('admitted');
    first.connection.close('');
    again.connection.close('');
  });

  test('replaces an issued certificate that was never used, at most once a minute', async () => {
    const { comer, link, deviceId } = await linked();
    const lost = await scene.issue(link);
    expect(await refusal(scene.issue(link))).toMatch(/^The device was issued a certificate just now/);
    scene.hub.advance(61);
    const pair = await scene.issue(link);
    const certificates = await scene.certificatesOf(deviceId);
    expect([...certificates.keys()].toSorted()).toEqual(
      [fingerprintOf(comer.pair), fingerprintOf(pair)].toSorted(),
    );
    // The hub issued it and has it no more, so it waits for an approval.
    expect(await scene.refused({ ...comer, pair: lost })).toBe('pending');
    link.connection.close('');
  });

  test('refuses requests that are none, that are too long, or whose signature or key is wrong', async () => {
    const { link, deviceId } = await linked();
    const rpc = await link.rpc();
    const { request } = await certificateRequest();
    const ask = (pem: string) => refusal(rpc.invoke('devices_IssueCertificate', { deviceId, request: pem }));
    expect(await ask('x')).toMatch(/no PKCS #10 request/);
    expect(await ask((await scene.newComer()).pair.certificatePem)).toMatch(/no PKCS #10 request/);
    expect(await ask('x'.repeat(20_000))).toMatch(/16384/);
    const lines = request.trim().split('\n');
    const der = Buffer.from(lines.slice(1, -1).join(''), 'base64');
    der[der.length - 5]! ^= 1;
    const forged = `${lines[0]}\n${der.toString('base64')}\n${lines.at(-1)}\n`;
    expect(await ask(forged)).toMatch(/signature of the certificate request/);
    expect(await ask(weakRequest)).toMatch(/ECDSA P-256 or Ed25519/);
    const other = ids.device.of('1'.repeat(22));
    expect(await refusal(rpc.invoke('devices_IssueCertificate', { deviceId: other, request }))).toMatch(
      /not found|does not exist/i,
    );
    link.connection.close('');
  });
});

describe('a project that demands issued certificates', () => {
  ofOwnScene(() => scene.createAuthority());

  test('accepts foreign certificates for a while, and ends their links then', async () => {
    const { comer, link, deviceId } = await linked();
    await scene.demand(true);
    const found = (await scene.certificatesOf(deviceId)).get(fingerprintOf(comer.pair));
    expect(Date.parse(found!.endsAt!) - scene.hub.now().getTime()).toBe(7 * daySecs * 1000);
    scene.hub.advance(7 * daySecs - 60);
    expect(await scene.refused(comer)).toBe('admitted');
    const issuedTo = await linked();
    const pair = await scene.issue(issuedTo.link);
    scene.hub.advance(61);
    await isEnded(link);
    expect(await scene.refused(comer)).toBe('ended');
    expect(await scene.refused({ ...issuedTo.comer, pair })).toBe('admitted');
    issuedTo.link.connection.close('');
    await vi.waitFor(async () => {
      const shown = await scene.hub.as(scene.owner, 'devices_GetPresence', { deviceId });
      expect(shown.sentence).toMatch(/The certificate of this device has ended/);
    });
  });

  test('lets an owner, and no other member, accept an ended certificate for another day', async () => {
    const { comer, link, deviceId } = await linked();
    // A new foreign certificate counts for a day.
    scene.hub.advance(daySecs + 1);
    await isEnded(link);
    expect(await scene.refused(comer)).toBe('ended');
    const { certificateId } = (await scene.certificatesOf(deviceId)).get(fingerprintOf(comer.pair))!;
    const accept = { certificateId, status: 'Active' } as const;
    const { projectId, owner } = scene;
    const member = await seedMember(scene.hub, { projectId, owner });
    expect((await scene.hub.refusal(member, 'devices_SetDeviceCertificateStatus', accept)).kind).toBe(
      'Invalid',
    );
    await scene.hub.as(scene.owner, 'devices_SetDeviceCertificateStatus', accept);
    const back = await scene.open(comer);
    const pair = await scene.issue(back);
    back.connection.close('');
    scene.hub.advance(2 * daySecs);
    expect(await scene.refused({ ...comer, pair })).toBe('admitted');
  });

  test('gives foreign certificates their time back where the demand ends', async () => {
    const { comer, link, deviceId } = await linked();
    link.connection.close('');
    await scene.demand(false);
    expect((await scene.certificatesOf(deviceId)).get(fingerprintOf(comer.pair))).not.toHaveProperty(
      'endsAt',
    );
    scene.hub.advance(90 * daySecs);
    expect(await scene.refused(comer)).toBe('admitted');
  });

  test('ends the link of an issued certificate when that ends', async () => {
    const { comer, link } = await linked();
    await scene.demand(false, { validForDays: 1 });
    const pair = await scene.issue(link);
    link.connection.close('');
    const renewed = await scene.open({ ...comer, pair });
    scene.hub.advance(daySecs - 60);
    expect(renewed.connection.end).toBeUndefined();
    scene.hub.advance(61);
    await isEnded(renewed);
    expect(await scene.refused({ ...comer, pair })).toBe('ended');
  });
});

describe('an authority whose key lives elsewhere', () => {
  ofOwnScene();
  const elsewhere = () => makeAuthority('Plant', scene.hub.now());

  test('has its certificates accepted at once, also those that the hub knew before', async () => {
    const authority = await elsewhere();
    const pair = await issuedElsewhere(authority, 'machine-7', scene.hub.now());
    const comer = { ...(await scene.newComer()), pair };
    const { token } = await scene.newToken(false);
    expect(await scene.refused(comer, token)).toBe('pending');
    const { authorityId } = await scene.createAuthority({ certificatePem: authority.certificatePem });
    const link = await scene.open(comer, token);
    const certificates = await scene.certificatesOf(await deviceIdOf(link));
    expect(certificates.get(fingerprintOf(pair))).toMatchObject({ authorityId, status: 'Active' });
    const { authorities } = await scene.policy();
    expect(authorities.find((one) => one.authorityId === authorityId)).toMatchObject({
      isIssuing: false,
      devices: 1,
    });
    link.connection.close('');
    const other = {
      ...(await scene.newComer()),
      pair: await issuedElsewhere(authority, 'x', scene.hub.now()),
    };
    expect(await scene.refused(other, token)).toBe('admitted');
    await scene.hub.as(scene.owner, 'projects_DeleteCertificateAuthority', {
      projectId: scene.projectId,
      authorityId,
    });
    // What was accepted stays so; new ones wait again.
    expect(await scene.refused(other, token)).toBe('admitted');
    const late = {
      ...(await scene.newComer()),
      pair: await issuedElsewhere(authority, 'y', scene.hub.now()),
    };
    expect(await scene.refused(late, token)).toBe('pending');
  });

  test('accepts no certificate of a namesake, of another device, of another fingerprint or that has ended', async () => {
    const [authority, namesake] = [await elsewhere(), await elsewhere()];
    await scene.createAuthority({ certificatePem: authority.certificatePem });
    const { token } = await scene.newToken(false);
    const now = scene.hub.now();
    const by = async (from: typeof authority, name: string, at = now) => ({
      ...(await scene.newComer()),
      pair: await issuedElsewhere(from, name, at),
    });
    expect(await scene.refused(await by(namesake, 'x'), token)).toBe('pending');
    const { deviceId, link } = await linked();
    link.connection.close('');
    expect(await scene.refused(await by(authority, deviceId), token)).toBe('pending');
    const past = new Date(now.getTime() - daySecs * 1000);
    expect(await scene.refused(await by(authority, 'x', past), token)).toBe('pending');
    const good = await by(authority, 'x');
    expect(await scene.refused(good, token)).toBe('admitted');
    const twin = { ...(await scene.newComer()), pair: good.pair };
    expect(await scene.refused(twin, token)).toBe('pending');
  });

  test('revives no certificate that was revoked or deleted', async () => {
    const authority = await elsewhere();
    await scene.createAuthority({ certificatePem: authority.certificatePem });
    const comer = {
      ...(await scene.newComer()),
      pair: await issuedElsewhere(authority, 'x', scene.hub.now()),
    };
    const { token } = await scene.newToken(false);
    const link = await scene.open(comer, token);
    const deviceId = await deviceIdOf(link);
    const { certificateId } = (await scene.certificatesOf(deviceId)).get(fingerprintOf(comer.pair))!;
    await scene.hub.as(scene.owner, 'devices_SetDeviceCertificateStatus', {
      certificateId,
      status: 'Revoked',
    });
    expect(await scene.refused(comer, token)).toBe('revoked');
    await scene.hub.as(scene.owner, 'devices_DeleteDeviceCertificate', { certificateId });
    expect(await scene.refused(comer, token)).toBe('pending');
  });
});
