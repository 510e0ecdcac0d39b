import { expect, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import { seedCertificateAuthority } from '../../../../test/seed-certificate-authority.ts';
import { seedDevice } from '../../../../test/seed.ts';

const { hub, project, member, device } = deviceScene();
const days = (count: number) => hub.advance(count * 86_400);

async function demand(isDemanded: boolean, validForDays = 30, foreignDays = 30) {
  const { projectId, owner } = project;
  const input = { projectId, isDemanded, validForDays, ...(isDemanded ? { foreignDays } : {}) };
  await hub.as(owner, 'projects_SetCertificatePolicy', input);
}

const needs = async () =>
  (await hub.as(member, 'projects_GetOverview', { projectId: project.projectId })).needs;

/** How many devices the overview counts, which is how many its filter finds. */
async function ending() {
  const need = (await needs()).find(({ kind }) => kind === 'EndingCertificates');
  if (need === undefined) return undefined;
  const { projectId } = project;
  const { filter = '' } = need;
  const { count } = await hub.as(member, 'projects_CountProjectDevices', { projectId, filter });
  expect(count).toBe(need.count);
  return [filter, count];
}

test('devices whose certificates nearly ended need somebody while the project demands issued ones', async () => {
  await seedDevice(hub, project);
  await seedCertificateAuthority(hub, project);
  expect(await ending()).toBeUndefined();
  await demand(true);
  expect(await ending()).toBeUndefined();
  days(24);
  expect(await ending()).toEqual(['certEnds<168h', 2]);
  await hub.as(project.owner, 'devices_DeleteDevice', { deviceId: device.deviceId });
  days(10);
  expect(await ending()).toEqual(['certEnds<168h', 1]);
  await demand(false);
  expect(await ending()).toBeUndefined();
});

test('of certificates for few days less time is left before somebody is needed', async () => {
  await seedCertificateAuthority(hub, project);
  await demand(true, 4, 4);
  days(2);
  expect(await ending()).toBeUndefined();
  days(1.5);
  expect(await ending()).toEqual(['certEnds<24h', 1]);
});

test('an authority needs somebody in its last 60 days', async () => {
  await seedCertificateAuthority(hub, project);
  const { projectId } = project;
  const policy = await hub.as(member, 'projects_GetCertificatePolicy', { projectId });
  const [{ name, endsAt } = { name: '', endsAt: '' }] = policy.authorities;
  const found = async () => (await needs()).find(({ kind }) => kind === 'EndingAuthorities');
  days((Date.parse(endsAt) - hub.now().getTime()) / 86_400_000 - 61);
  expect(await found()).toBeUndefined();
  days(2);
  expect(await found()).toMatchObject({ count: 1, names: [name], until: endsAt });
});
