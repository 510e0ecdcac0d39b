import { type Actor, type CallInput, type Id, ids } from '@corral/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymous, freshExecutor, type FreshExecutor } from '../../../test/fresh-executor.ts';
import {
  newCertificate,
  newFingerprint,
  seedMember,
  seedProject,
  type SeededProject,
} from '../../../test/seed.ts';
import { AuthenticateDevice } from '../devices/internal/AuthenticateDevice.ts';

const refused = {
  kind: 'Invalid',
  message:
    'The pairing key is not valid: it was mistyped, was used, or has ended. Make a new one in the console, under Pair device.',
};

let hub: FreshExecutor;
/** Another hub on the same database. */
let twin: FreshExecutor;
let project: SeededProject;
/** Each test comes from its own address, unless it says where from. */
let ip: string;
let tests = 0;
beforeAll(async () => {
  hub = await freshExecutor();
  twin = await freshExecutor({ database: hub.database });
});
afterAll(() => hub[Symbol.asyncDispose]());
beforeEach(async () => {
  project = await seedProject(hub);
  tests += 1;
  ip = `192.0.2.${tests}`;
  hub.emittedEvents.length = 0;
});

const create = (more: Partial<CallInput<'projects_CreateDevicePairingKey'>> = {}) =>
  hub.as(project.owner, 'projects_CreateDevicePairingKey', { projectId: project.projectId, ...more });
const inputOf = (
  pairingKey: string,
  more: { fingerprint?: Id<'deviceFingerprint'>; deviceName?: string },
) => ({
  pairingKey,
  fingerprint: newFingerprint(),
  ...more,
});
const pair = (
  pairingKey: string,
  more: { fingerprint?: Id<'deviceFingerprint'>; deviceName?: string } = {},
  at = hub,
) => at.as(anonymous, 'projects_RedeemDevicePairingKey', inputOf(pairingKey, more), { ip });
const refusal = (pairingKey: string, more: { fingerprint?: Id<'deviceFingerprint'> } = {}, from = ip) =>
  hub.refusal(anonymous, 'projects_RedeemDevicePairingKey', inputOf(pairingKey, more), { ip: from });
const list = async () =>
  (await hub.as(project.owner, 'projects_QueryDevicePairingKeys', { projectId: project.projectId }))
    .pairingKeys;
const tokens = async () =>
  (await hub.as(project.owner, 'projects_QueryProjectDeploymentTokens', { projectId: project.projectId }))
    .tokens;
const connect = (shown: {
  token: Id<'deploymentToken'>;
  fingerprint: Id<'deviceFingerprint'>;
  certificate?: string;
}) => hub.run(AuthenticateDevice, { certificate: newCertificate(), ...shown });
const connectRefusal = (shown: Parameters<typeof connect>[0]) =>
  hub.refused(AuthenticateDevice, { certificate: newCertificate(), ...shown });
/** The same key with another secret. */
const wrong = (key: string, count = 1): string => {
  const secrets = ['0000', '1111', '2222', '3333', '4444', '5555', '6666'].filter(
    (one) => !key.endsWith(one),
  );
  return `${key.slice(0, 7)}${secrets[count]}`;
};
const eventsNamed = (name: string) =>
  hub.emittedEvents.filter((event) => event.name === name).map(({ data }) => data);

test('a key pairs a device, whose token is bound to it and whose first certificate is accepted', async () => {
  const { pairingKey, pairingKeyId, selector, expiresAt, value, qrSvg } = await create({ name: 'Pump 1' });
  expect(pairingKey).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}-[0-9A-HJKMNP-TV-Z]{4}$/);
  expect(value).toBe(`localhost:8080,${pairingKey}`);
  expect(qrSvg).toMatch(/^<svg [^]*<\/svg>$/);
  expect(Date.parse(expiresAt) - hub.now().getTime()).toBe(300_000);
  const fingerprint = newFingerprint();
  const { deviceId, tokenId, token, projectId } = await pair(pairingKey.toLowerCase().replace('-', ''), {
    fingerprint,
    deviceName: 'raspberrypi',
  });
  expect(projectId).toBe(project.projectId);
  const details = await hub.as(project.owner, 'devices_GetDeviceDetails', { deviceId });
  expect(details).toMatchObject({ name: 'Pump 1', projectId });
  expect(await tokens()).toMatchObject([{ tokenId, deviceId, name: 'Pump 1', flags: { autoAccept: false } }]);
  expect(await connect({ token, fingerprint })).toMatchObject({ deviceId, tokenId });
  expect(await list()).toMatchObject([
    { pairingKeyId, selector, name: 'Pump 1', deviceId, tokenId, isConnected: false },
  ]);
  expect(eventsNamed('projects_PairingKeyCreated')).toMatchObject([{ projectId, pairingKeyId, selector }]);
  expect(eventsNamed('projects_PairingKeyRedeemed')).toMatchObject([{ pairingKeyId, deviceId, tokenId }]);
  expect(JSON.stringify(hub.emittedEvents)).not.toContain(pairingKey);
});

test('the name of the device is used where the key has none, and a device without either has none', async () => {
  const named = await pair((await create()).pairingKey, { deviceName: ' valve 7 ' });
  const unnamed = await pair((await create()).pairingKey);
  const nameOf = async ({ deviceId }: { deviceId: Id<'device'> }) =>
    (await hub.as(project.owner, 'devices_GetDeviceDetails', { deviceId })).name;
  expect([await nameOf(named), await nameOf(unnamed)]).toEqual(['valve 7', undefined]);
});

test('a second certificate is pending, as is the first one after ten minutes', async () => {
  const fingerprint = newFingerprint();
  const { token } = await pair((await create()).pairingKey, { fingerprint });
  const certificate = newCertificate();
  await connect({ token, fingerprint, certificate });
  expect((await connectRefusal({ token, fingerprint })).message).toContain('pending');
  await connect({ token, fingerprint, certificate });

  const late = newFingerprint();
  const paired = await pair((await create()).pairingKey, { fingerprint: late });
  hub.advance(601);
  expect((await connectRefusal({ token: paired.token, fingerprint: late })).message).toContain('pending');
});

test('of two certificates that come at once one is accepted', async () => {
  const fingerprint = newFingerprint();
  const { token } = await pair((await create()).pairingKey, { fingerprint });
  const outcomes = await Promise.allSettled(
    [hub, twin].map((at) =>
      at.run(AuthenticateDevice, { token, fingerprint, certificate: newCertificate() }),
    ),
  );
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('the certificate of another device is pending, and nothing revives one that was revoked', async () => {
  const first = newFingerprint();
  const certificate = newCertificate();
  const one = await pair((await create()).pairingKey, { fingerprint: first });
  const { certificateId } = await connect({ token: one.token, fingerprint: first, certificate });
  const second = newFingerprint();
  const two = await pair((await create()).pairingKey, { fingerprint: second });
  expect((await connectRefusal({ token: two.token, fingerprint: second, certificate })).message).toContain(
    'another device',
  );
  await hub.as(project.owner, 'devices_SetDeviceCertificateStatus', { certificateId, status: 'Revoked' });
  const again = await pair((await create()).pairingKey, { fingerprint: first });
  expect((await connectRefusal({ token: again.token, fingerprint: first, certificate })).message).toContain(
    'revoked',
  );
});

test('no other device may use the token, known or new', async () => {
  const { token } = await pair((await create()).pairingKey);
  const other = newFingerprint();
  const known = await pair((await create()).pairingKey, { fingerprint: other });
  await connect({ token: known.token, fingerprint: other });
  for (const fingerprint of [other, newFingerprint()])
    expect(await connectRefusal({ token, fingerprint })).toMatchObject({
      kind: 'NotSignedIn',
      message: 'The deployment token is for another device. Pair this device, or give it a token of its own.',
    });
});

test('a device is paired again without losing anything, and a new certificate is accepted once', async () => {
  const fingerprint = newFingerprint();
  const first = await pair((await create({ name: 'Pump 1' })).pairingKey, { fingerprint });
  const certificate = newCertificate();
  await connect({ token: first.token, fingerprint, certificate });
  hub.advance(1);
  const second = await pair((await create({ name: 'another' })).pairingKey, { fingerprint });
  expect(second.deviceId).toBe(first.deviceId);
  const details = await hub.as(project.owner, 'devices_GetDeviceDetails', { deviceId: first.deviceId });
  expect(details.name).toBe('Pump 1');
  await connect({ token: second.token, fingerprint });
  await connect({ token: first.token, fingerprint, certificate });
  expect((await connectRefusal({ token: second.token, fingerprint })).message).toContain('pending');
  for (let count = 0; count < 2; count += 1) {
    hub.advance(1);
    await pair((await create()).pairingKey, { fingerprint });
  }
  expect((await tokens()).map(({ tokenId }) => tokenId)).not.toContain(first.tokenId);
  expect(await tokens()).toHaveLength(3);
  expect(eventsNamed('projects_DeploymentTokenDeleted')).toMatchObject([{ tokenId: first.tokenId }]);
});

test('a deleted device takes its token with it, and can be paired again', async () => {
  const fingerprint = newFingerprint();
  const { deviceId, token } = await pair((await create()).pairingKey, { fingerprint });
  await connect({ token, fingerprint });
  await hub.as(project.owner, 'devices_DeleteDevice', { deviceId });
  expect((await connectRefusal({ token, fingerprint })).message).toContain('not known');
  expect(await tokens()).toEqual([]);
  const again = await pair((await create()).pairingKey, { fingerprint });
  expect(again.deviceId).not.toBe(deviceId);
  await connect({ token: again.token, fingerprint });
});

describe('a key is refused in one sentence', () => {
  test('when it was used, was revoked or has expired, or there is none such', async () => {
    const { pairingKey } = await create();
    await pair(pairingKey);
    const revoked = await create();
    await hub.as(project.owner, 'projects_RevokeDevicePairingKey', { pairingKeyId: revoked.pairingKeyId });
    const expired = await create({ validForSecs: 10 });
    hub.advance(10);
    for (const key of [pairingKey, revoked.pairingKey, expired.pairingKey, '000000-0000', 'no key', ''])
      expect(await refusal(key)).toEqual(refused);
    expect(eventsNamed('projects_PairingKeyRevoked')).toMatchObject([{ selector: revoked.selector }]);
  });

  test('also the right one after five wrong secrets, wherever they come from', async () => {
    const { pairingKey } = await create();
    const spare = await create();
    const guesses = [1, 2, 3, 4, 5].map((count) =>
      refusal(wrong(pairingKey, count), {}, `198.51.100.${count}`),
    );
    for (const guess of await Promise.all(guesses)) expect(guess).toEqual(refused);
    expect(await refusal(pairingKey)).toEqual(refused);
    expect((await list()).find(({ selector }) => pairingKey.startsWith(selector))).toMatchObject({
      tries: 5,
    });
    for (let count = 1; count <= 4; count += 1) await refusal(wrong(spare.pairingKey, count));
    await pair(spare.pairingKey);
  });

  test('for the fingerprint of a device of another project, and stays open then', async () => {
    const fingerprint = newFingerprint();
    await pair((await create()).pairingKey, { fingerprint });
    const other = await seedProject(hub);
    const { pairingKey } = await hub.as(other.owner, 'projects_CreateDevicePairingKey', {
      projectId: other.projectId,
    });
    expect(await refusal(pairingKey, { fingerprint })).toEqual(refused);
    await pair(pairingKey);
  });

  test('when its project was deleted', async () => {
    const { pairingKey } = await create();
    const { projectId } = project;
    await hub.as(project.owner, 'projects_DeleteProject', { projectId });
    expect(await refusal(pairingKey)).toEqual(refused);
  });

  test('and never sooner for one reason than for another', async () => {
    const { pairingKey } = await create();
    const used = await create();
    await pair(used.pairingKey);
    for (const key of ['000000-0000', 'no key', wrong(pairingKey), used.pairingKey]) {
      const startedAt = performance.now();
      await refusal(key);
      expect(performance.now() - startedAt).toBeGreaterThan(248);
    }
  });
});

test('of ten that redeem one key at once on two hubs exactly one wins', async () => {
  const { pairingKey } = await create();
  // Wrong tries would end the key before: all of them have the right one, and each counts.
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => pair(pairingKey, {}, index % 2 === 0 ? hub : twin)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(refused);
  const { devices } = await hub.as(project.owner, 'projects_QueryProjectDevices', {
    projectId: project.projectId,
  });
  expect(devices).toHaveLength(1);
});

test('an address fails 30 times in a minute, and those that succeed do not count', async () => {
  for (let count = 0; count < 20; count += 1) await pair((await create()).pairingKey);
  await Promise.all(Array.from({ length: 30 }, () => refusal('000000-0000')));
  const { pairingKey } = await create();
  const throttled = await refusal(pairingKey);
  expect(throttled).toEqual({
    kind: 'RateLimited',
    message: expect.stringMatching(/^Too many wrong pairing keys\. Try again in /),
  });
  hub.advance(61);
  await pair(pairingKey);
});

test('a project has at most 20 open keys, of calls at the same time, too', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 25 }, () => create()));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  const { projectId } = project;
  expect(await hub.refusal(project.owner, 'projects_CreateDevicePairingKey', { projectId })).toMatchObject({
    message:
      'A project may have at most 20 open pairing keys. Use or revoke one, or wait until one has expired.',
  });
  hub.advance(301);
  await create();
});

test('the newest hundred keys that have ended stay listed', async () => {
  for (let count = 0; count < 105; count += 1) {
    await create({ validForSecs: 1 });
    hub.advance(1);
  }
  const { pairingKeyId } = await create();
  const all = await list();
  expect(all).toHaveLength(101);
  expect(all[0]?.pairingKeyId).toBe(pairingKeyId);
});

test('only owners create, see and revoke keys', async () => {
  const { projectId } = project;
  const { pairingKeyId } = await create();
  const member: Actor = await seedMember(hub, project);
  for (const [name, input] of [
    ['projects_CreateDevicePairingKey', { projectId }],
    ['projects_QueryDevicePairingKeys', { projectId }],
    ['projects_RevokeDevicePairingKey', { pairingKeyId }],
  ] as const)
    expect(await hub.refusal(member, name, input)).toMatchObject({ kind: 'Forbidden' });
});

test('a full project says so to who has a right key, and the key stays', async () => {
  await hub.database.db
    .insertInto('instance_settings')
    .values({ key: 'devicesPerProject', value: JSON.stringify(1), changed_at: hub.now() })
    .execute();
  const fingerprint = newFingerprint();
  await pair((await create()).pairingKey, { fingerprint });
  const { pairingKey } = await create();
  expect((await refusal(pairingKey)).message).toContain('at most 1 devices');
  await pair(pairingKey, { fingerprint });
  await hub.database.db.deleteFrom('instance_settings').where('key', '=', 'devicesPerProject').execute();
});

describe('a token for one device', () => {
  const redeemed = async () =>
    hub.as(
      anonymous,
      'projects_RedeemPairingKeyForToken',
      { pairingKey: (await create()).pairingKey },
      { ip },
    );

  test('is bound to the first device that uses it, whose certificate is accepted', async () => {
    const { token, tokenId, projectId } = await redeemed();
    expect(projectId).toBe(project.projectId);
    const fingerprint = newFingerprint();
    const { deviceId } = await connect({ token, fingerprint });
    expect(await tokens()).toMatchObject([{ tokenId, deviceId, uses: 1 }]);
    expect(await list()).toMatchObject([{ tokenId, deviceId }]);
    expect(await connectRefusal({ token, fingerprint: newFingerprint() })).toMatchObject({
      kind: 'NotSignedIn',
    });
    expect((await connectRefusal({ token, fingerprint })).message).toContain('pending');
  });

  test('is bound to a known device by its use, and one of two that come at once has it', async () => {
    const known = newFingerprint();
    const certificate = newCertificate();
    const { token, deviceId } = await pair((await create()).pairingKey, { fingerprint: known });
    await connect({ token, fingerprint: known, certificate });
    const forOne = await redeemed();
    const outcomes = await Promise.allSettled([
      hub.run(AuthenticateDevice, { token: forOne.token, fingerprint: known, certificate }),
      twin.run(AuthenticateDevice, {
        token: forOne.token,
        fingerprint: newFingerprint(),
        certificate: newCertificate(),
      }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const bound = (await tokens()).find(({ tokenId }) => tokenId === forOne.tokenId);
    expect(bound?.deviceId === deviceId).toBe(outcomes[0].status === 'fulfilled');
  });

  test('needs a key as devices do', async () => {
    expect(
      await hub.refusal(
        anonymous,
        'projects_RedeemPairingKeyForToken',
        { pairingKey: '000000-0000' },
        { ip },
      ),
    ).toEqual(refused);
  });
});

test('a hub of before sees a bound token as one that has enrolled all its devices', async () => {
  const { tokenId } = await pair((await create()).pairingKey);
  const row = await hub.database.db
    .selectFrom('deployment_tokens')
    .selectAll()
    .where('token_id', '=', ids.deploymentTokenId.raw(tokenId))
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ max_uses: 1, uses: 1, auto_accept: false });
});
