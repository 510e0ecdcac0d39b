import type { Actor, Id } from '@corral/contract';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { absentId, freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { auditText } from '../../../../test/test-users.ts';
import {
  newCertificate,
  seedDevice,
  seedMember,
  seedProject,
  seedUser,
  type SeededProject,
  type Somebody,
} from '../../../../test/seed.ts';
import { seedSession } from '../../../../test/two-projects.ts';
import { RedeemDeviceHttpProxyToken } from '../internal/RedeemDeviceHttpProxyToken.ts';

let hub: FreshExecutor;
let project: SeededProject;
let member: Somebody;
let stranger: Somebody;
let device: Awaited<ReturnType<typeof seedDevice>>;
let deviceId: Id<'device'>;

beforeAll(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
  member = await seedMember(hub, project);
  stranger = await seedUser(hub, 'stranger@example.org');
  device = await seedDevice(hub, project);
  deviceId = device.deviceId as Id<'device'>;
});
afterAll(() => hub[Symbol.asyncDispose]());

const seconds = (): number => Math.floor(hub.now().getTime() / 1000);
const validate = (jwt: string, actor: Actor = system) =>
  hub.as(actor, 'devices_ValidateDeviceHttpProxyToken', { jwt });
const redeem = (jwt: string) => hub.run(RedeemDeviceHttpProxyToken, { jwt });
const issue = (more: object = {}, actor: Somebody = member, origin = {}) =>
  hub.as(actor, 'devices_IssueDeviceHttpProxyToken', { deviceId, ...more }, origin);

test('a device gets a token with its claims, for an hour by default and 366 days at most', async () => {
  const claims = { line: 7, roles: ['press'] };
  const { jwt } = await hub.as(device.actor, 'devices_IssueDeviceToken', { deviceId, claims });
  expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'EdDSA', typ: 'device+jwt' });
  expect(decodeJwt(jwt)).toMatchObject({ sub: deviceId, aud: 'device', claims, exp: seconds() + 3600 });
  expect(decodeJwt(jwt).jti).toMatch(/./);
  expect(decodeJwt(jwt)['act']).toBeUndefined();
  expect(await hub.as(system, 'devices_ValidateDeviceToken', { jwt })).toEqual({
    result: 'Valid',
    deviceId,
    claims,
  });
  const longestSecs = 366 * 86_400;
  const longest = { deviceId, validForSecs: longestSecs };
  const lasting = await hub.as(device.actor, 'devices_IssueDeviceToken', longest);
  expect(decodeJwt(lasting.jwt).exp).toBe(seconds() + longestSecs);
  for (const validForSecs of [0, longestSecs + 1])
    expect(await hub.refusal(device.actor, 'devices_IssueDeviceToken', { deviceId, validForSecs })).toEqual({
      kind: 'Invalid',
      message: 'A device token may be valid for 1 to 31622400 seconds.',
    });
  expect(
    (await hub.refusal(device.actor, 'devices_IssueDeviceToken', { deviceId, claims: 'x'.repeat(9000) }))
      .kind,
  ).toBe('Invalid');
});

test('a token may have no claims, and a token requested by a user contains the user', async () => {
  const { jwt } = await hub.as(member, 'devices_IssueDeviceToken', { deviceId, claims: null });
  expect(decodeJwt(jwt)['act']).toEqual({ sub: member.userId });
  expect(await hub.as(member, 'devices_ValidateDeviceToken', { jwt })).toMatchObject({ claims: null });
  expect(await hub.as(stranger, 'devices_ValidateDeviceToken', { jwt })).toEqual({ result: 'Invalid' });
});

test('a token with the longest claims is valid', async () => {
  const claims = 'x'.repeat(8_192 - 2);
  const { jwt } = await hub.as(device.actor, 'devices_IssueDeviceToken', { deviceId, claims });
  expect(await hub.as(system, 'devices_ValidateDeviceToken', { jwt })).toMatchObject({ claims });
});

test('a device token is invalid when it has expired, was changed, or its device was deleted', async () => {
  const other = await seedDevice(hub, project);
  const otherId = other.deviceId as Id<'device'>;
  const { jwt } = await hub.as(other.actor, 'devices_IssueDeviceToken', {
    deviceId: otherId,
    validForSecs: 5,
  });
  const isValid = async (token: string) =>
    (await hub.as(system, 'devices_ValidateDeviceToken', { jwt: token })).result === 'Valid';
  expect(await isValid(jwt)).toBe(true);
  const [head = '', body = '', signature = ''] = jwt.split('.');
  const forged = Buffer.from(JSON.stringify({ ...decodeJwt(jwt), sub: deviceId })).toString('base64url');
  const unsigned = Buffer.from('{"alg":"none","typ":"device+jwt"}').toString('base64url');
  for (const bad of [
    `${head}.${forged}.${signature}`,
    `${unsigned}.${body}.`,
    'nonsense',
    (await issue()).jwt,
  ])
    expect(await isValid(bad)).toBe(false);
  hub.advance(6);
  expect(await isValid(jwt)).toBe(false);
  const { jwt: late } = await hub.as(other.actor, 'devices_IssueDeviceToken', { deviceId: otherId });
  await hub.as(project.owner, 'devices_DeleteDevice', { deviceId: otherId });
  expect(await isValid(late)).toBe(false);
});

test('the tokens of a device are invalid while none of its certificates is active', async () => {
  const { actor, certificateId, ...other } = await seedDevice(hub, project);
  const own = { deviceId: other.deviceId as Id<'device'> };
  const tokens = [
    (await hub.as(actor, 'devices_IssueDeviceToken', own)).jwt,
    (await hub.as(member, 'devices_IssueDeviceToken', own)).jwt,
  ];
  const answers = async () => {
    const asked = tokens.flatMap((jwt) =>
      [system, member].map((by) => hub.as(by, 'devices_ValidateDeviceToken', { jwt })),
    );
    return [...new Set((await Promise.all(asked)).map(({ result }) => result))];
  };
  const set = (id: string, status: 'Active' | 'Revoked') =>
    hub.as(project.owner, 'devices_SetDeviceCertificateStatus', {
      certificateId: id as Id<'deviceCertificate'>,
      status,
    });
  expect(await answers()).toEqual(['Valid']);
  await set(certificateId, 'Revoked');
  expect(await answers()).toEqual(['Invalid']);
  const pending = { ...own, fingerprint: newCertificate(), status: 'Pending' } as const;
  const next = await hub.as(project.owner, 'devices_AddDeviceCertificate', pending);
  expect(await answers()).toEqual(['Invalid']);
  await set(next.certificateId, 'Active');
  expect(await answers()).toEqual(['Valid']);
  await hub.as(project.owner, 'devices_DeleteDeviceCertificate', next);
  expect(await answers()).toEqual(['Invalid']);
});

test('a proxy token is valid once within a minute, or for the requested time', async () => {
  const { jwt, url } = await issue({ port: 8080 });
  expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'HS256', typ: 'http-proxy-entry+jwt' });
  expect(decodeJwt(jwt)).toMatchObject({ aud: 'http-proxy-entry', exp: seconds() + 60 });
  const hostname = new URL(url).hostname;
  expect(await validate(jwt)).toEqual({ result: 'Valid', deviceId, hostname, port: 8080 });
  const redeemed = await redeem(jwt);
  expect(redeemed).toMatchObject({ result: 'Redeemed', hostname, validForSecs: 3600 });
  expect(await redeem(jwt)).toEqual({ result: 'Invalid', reason: 'Used' });
  expect(await validate(jwt)).toEqual({ result: 'Invalid', reason: 'Used' });
  const long = await issue({ validForSecs: 600 });
  expect([(await redeem(long.jwt)).result, (await redeem(long.jwt)).result]).toEqual([
    'Redeemed',
    'Redeemed',
  ]);
  hub.advance(601);
  expect(await redeem(long.jwt)).toEqual({ result: 'Invalid', reason: 'Expired' });
  if (redeemed.result !== 'Redeemed') throw new Error('not redeemed');
  expect((await validate(redeemed.accessToken)).result).toBe('Valid');
  hub.advance(3_000);
  expect(await validate(redeemed.accessToken)).toEqual({ result: 'Invalid', reason: 'Expired' });
});

test('a proxy token is valid for a day at most', async () => {
  await issue({ validForSecs: 86_400 });
  for (const validForSecs of [0, 86_401])
    expect(
      await hub.refusal(member, 'devices_IssueDeviceHttpProxyToken', { deviceId, validForSecs }),
    ).toEqual({ kind: 'Invalid', message: 'A proxy token may be valid for 1 to 86400 seconds.' });
});

test('one of two concurrent redemptions succeeds', async () => {
  const { jwt } = await issue();
  const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(jwt)));
  expect(answers.filter(({ result }) => result === 'Redeemed')).toHaveLength(1);
});

test('access ends with the requesting session and with the membership', async () => {
  const leaving = await seedMember(hub, project);
  const session = await seedSession(hub, leaving);
  const { jwt } = await issue({ validForSecs: 600 }, leaving, {
    sessionId: session.id.split('_').at(-1) ?? '',
  });
  expect((await validate(jwt)).result).toBe('Valid');
  await hub.as(leaving, 'users_TerminateUserSession', { sessionId: session.id as Id<'session'> });
  expect(await validate(jwt)).toEqual({ result: 'Invalid', reason: 'Withdrawn' });
  const another = await issue({ validForSecs: 600 }, leaving);
  const { projectId } = project;
  await hub.as(project.owner, 'projects_RemoveProjectMember', { projectId, userId: leaving.userId });
  expect(await validate(another.jwt)).toEqual({ result: 'Invalid', reason: 'Withdrawn' });
});

test('users may validate tokens of devices they can access; only the hub gets the reason of a refusal', async () => {
  const { jwt } = await issue({ validForSecs: 600, redirect: '/projects' });
  expect((await validate(jwt, member)).result).toBe('Valid');
  expect(await validate(jwt, stranger)).toEqual({ result: 'Invalid' });
  hub.advance(601);
  expect(await validate(jwt, member)).toEqual({
    result: 'Invalid',
    redirect: 'http://localhost:8080/projects',
  });
});

test('a host label may be chosen, and is never reused for another device', async () => {
  const { url } = await issue({ hostname: 'Press-7', port: 81 });
  expect(new URL(url).hostname).toBe('press-7.proxy.localhost');
  expect((await issue({ hostname: 'press-7.proxy.localhost', port: 81 })).url).toContain('//press-7.');
  const other = await seedDevice(hub, project);
  const elsewhere = { deviceId: other.deviceId, hostname: 'press-7', port: 81 };
  const refusal = {
    kind: 'Invalid',
    message: 'This host name is not free; leave it out to get one that is.',
  };
  expect(await hub.refusal(member, 'devices_IssueDeviceHttpProxyToken', elsewhere)).toEqual(refusal);
  await hub.as(project.owner, 'devices_DeleteDevice', { deviceId });
  expect(await hub.refusal(member, 'devices_IssueDeviceHttpProxyToken', elsewhere)).toEqual(refusal);
  for (const hostname of [
    '',
    'a',
    'a.b',
    '-ab',
    'xn--abc',
    'login',
    'sign-in',
    'log-in',
    'account-security',
    'a_b',
    'x'.repeat(64),
    'press.evil.example',
  ])
    expect(
      (await hub.refusal(member, 'devices_IssueDeviceHttpProxyToken', { ...elsewhere, hostname })).message,
      hostname,
    ).toMatch(/^The host name must be one label/);
});

test('a device has a limited number of chosen labels', async () => {
  const { deviceId: id } = await seedDevice(hub, project);
  for (let count = 0; count < 32; count += 1)
    await hub.as(member, 'devices_IssueDeviceHttpProxyToken', {
      deviceId: id as Id<'device'>,
      hostname: `name-${count}`,
    });
  const one = { deviceId: id, hostname: 'one-too-many' };
  expect((await hub.refusal(member, 'devices_IssueDeviceHttpProxyToken', one)).kind).toBe('Invalid');
  expect(
    await hub.as(member, 'devices_IssueDeviceHttpProxyToken', {
      deviceId: id as Id<'device'>,
      hostname: 'name-0',
    }),
  ).toMatchObject({
    url: expect.stringContaining('//name-0.') as string,
  });
});

test('no token is issued for devices the caller may not see, and no secret is recorded', async () => {
  const foreign = await hub.refusal(stranger, 'devices_IssueDeviceHttpProxyToken', {
    deviceId: device.deviceId,
  });
  const missing = await hub.refusal(stranger, 'devices_IssueDeviceHttpProxyToken', {
    deviceId: absentId('device'),
  });
  expect(foreign).toEqual(missing);
  expect((await hub.refusal(system, 'devices_IssueDeviceHttpProxyToken', { deviceId, port: 0 })).kind).toBe(
    'Forbidden',
  );
  expect(await auditText(hub)).not.toContain('eyJ');
});
