import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { newCertificate, newFingerprint, seedProject, type SeededProject } from '../../../../test/seed.ts';
import { AuthenticateDevice } from '../internal/AuthenticateDevice.ts';

const ended = {
  kind: 'NotSignedIn',
  message:
    'The deployment token has ended: it has expired, or has enrolled as many devices as it may. Give the device another one.',
};

let hub: FreshExecutor;
/** Another hub on the same database. */
let twin: FreshExecutor;
let project: SeededProject;
beforeAll(async () => {
  hub = await freshExecutor();
  twin = await freshExecutor({ database: hub.database });
  project = await seedProject(hub);
});
afterAll(() => hub[Symbol.asyncDispose]());

const create = (ends: { expiresAt?: string; maxUses?: number }) =>
  hub.as(project.owner, 'projects_CreateDeploymentToken', {
    projectId: project.projectId,
    name: 'line 1',
    flags: { autoAccept: true },
    ...ends,
  });
const show = (token: `deployment_${string}`) => ({
  token,
  fingerprint: newFingerprint(),
  certificate: newCertificate(),
});
const inSeconds = (seconds: number) => new Date(hub.now().getTime() + seconds * 1000).toISOString();
const listed = async (tokenId: string) => {
  const { projectId } = project;
  const { tokens } = await hub.as(project.owner, 'projects_QueryProjectDeploymentTokens', { projectId });
  return tokens.find((token) => token.tokenId === tokenId);
};

test('of 50 devices that enrol at once on two hubs by a token for ten, ten are enrolled', async () => {
  const { token, tokenId } = await create({ maxUses: 10 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? hub : twin).run(AuthenticateDevice, show(token)),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(ended);
  expect(await listed(tokenId)).toMatchObject({ maxUses: 10, uses: 10, enrolledDevices: 10 });
});

test('two connections of one device count once, and a deleted device stays counted', async () => {
  const { token, tokenId } = await create({ maxUses: 2 });
  const shown = show(token);
  const [{ deviceId }] = await Promise.all([
    hub.run(AuthenticateDevice, shown),
    twin.run(AuthenticateDevice, shown),
  ]);
  expect(await listed(tokenId)).toMatchObject({ uses: 1 });
  await hub.as(project.owner, 'devices_DeleteDevice', { deviceId });
  await hub.run(AuthenticateDevice, show(token));
  expect(await hub.refused(AuthenticateDevice, show(token))).toEqual(ended);
});

test('an expired token enrols no device and keeps those that it has enrolled', async () => {
  const { token } = await create({ expiresAt: inSeconds(60) });
  const shown = show(token);
  const admitted = await hub.run(AuthenticateDevice, shown);
  hub.advance(61);
  expect(await hub.refused(AuthenticateDevice, show(token))).toEqual(ended);
  // Who has only its id learns nothing of it.
  const guessed = `${token.slice(0, -4)}${token.endsWith('1111') ? '2222' : '1111'}` as typeof token;
  expect((await hub.refused(AuthenticateDevice, show(guessed)))?.message).toContain('is not known');
  expect(await hub.run(AuthenticateDevice, shown)).toEqual(admitted);
  hub.advance(120);
  expect(await hub.run(AuthenticateDevice, shown)).toEqual(admitted);
});

test('a token has to end later, and to enrol at least one device', async () => {
  const { projectId, owner } = project;
  const refusal = (ends: object) =>
    hub.refusal(owner, 'projects_CreateDeploymentToken', { projectId, name: 'x', ...ends });
  expect(await refusal({ expiresAt: inSeconds(0) })).toMatchObject({
    message: 'A deployment token must expire in the future.',
  });
  expect(await refusal({ maxUses: 0 })).toMatchObject({
    message: 'A deployment token must enrol at least one device.',
  });
  const { tokenId } = await create({});
  expect(await listed(tokenId)).not.toHaveProperty('maxUses');
});
