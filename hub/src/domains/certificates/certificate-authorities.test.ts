import 'reflect-metadata';
import { generateKeyPairSync, webcrypto, X509Certificate } from 'node:crypto';
import { BasicConstraintsExtension, X509CertificateGenerator } from '@peculiar/x509';
import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { projectScene } from '../../../test/device-scene.ts';
import { seedDevice } from '../../../test/seed.ts';
import { testVault, testVaultKey } from '../../../test/test-vault.ts';
import { makeAuthority } from './policy/issuing.ts';
import { keyOf, reencryptAuthorityKeys } from './sql/authorities.ts';
import { createVault } from '../../platform/vault/vault.ts';

const { hub, project, member } = projectScene();
let of: { projectId: typeof project.projectId };
beforeEach(() => void (of = { projectId: project.projectId }));

const create = (given: object = {}) =>
  hub.as(project.owner, 'projects_CreateCertificateAuthority', { ...of, name: 'x', ...given });
const refused = async (given: object) =>
  (await hub.refusal(project.owner, 'projects_CreateCertificateAuthority', { ...of, name: 'x', ...given }))
    .message;
const policy = () => hub.as(member, 'projects_GetCertificatePolicy', of);
const demand = { isDemanded: true, validForDays: 30 };

const algorithms = {
  'P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'P-384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  Ed25519: { name: 'Ed25519' },
  'RSA-2048': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048 },
  'P-521': { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
};

/** An authority as owners make them with tools of their own, without key identifiers. */
async function given(
  kind: keyof typeof algorithms,
  { isAuthority = true, notAfter = new Date('2200-01-01') } = {},
) {
  const algorithm = algorithms[kind];
  const wanted =
    kind === 'RSA-2048' ? { ...algorithm, publicExponent: new Uint8Array([1, 0, 1]) } : algorithm;
  const keys = (await webcrypto.subtle.generateKey(wanted, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'O=Plant, CN=Ägidius + Söhne',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date('2020-01-01'),
    notAfter,
    extensions: isAuthority ? [new BasicConstraintsExtension(true)] : [],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    certificatePem: certificate.toString('pem'),
    keyPem: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
  };
}

test('an authority that the hub makes signs certificates only, and its key is stored sealed and told nobody', async () => {
  const { authorityId } = await create({ name: ' Fleet ' });
  const { authorities } = await policy();
  expect(authorities).toMatchObject([{ authorityId, name: 'Fleet', isIssuing: true, devices: 0 }]);
  const certificate = new X509Certificate(authorities[0]!.certificatePem);
  expect(certificate.ca && certificate.checkIssued(certificate)).toBe(true);
  expect(certificate.fingerprint256).toBe(authorities[0]!.fingerprint);
  const { rows } = await sql<{ sealed: Buffer; row: string }>`
    select sealed, row_to_json(a)::text as row from certificate_authorities a where authority_id = ${ids.certificateAuthority.raw(authorityId)}`.execute(
    hub.database.db,
  );
  expect(rows[0]?.row).not.toContain('PRIVATE');
  expect(rows[0]?.sealed.toString('latin1')).not.toContain('PRIVATE');
  expect(JSON.stringify(hub.emittedEvents)).not.toContain('PRIVATE');
});

test.each(['P-256', 'P-384', 'Ed25519', 'RSA-2048'] as const)(
  'an authority with a key of %s issues',
  async (kind) => {
    await create(await given(kind));
    expect((await policy()).authorities).toMatchObject([{ isIssuing: true }]);
  },
);

test('an authority needs a strong key of its own, and a certificate that may sign others and has not ended', async () => {
  const [good, other] = [await given('P-256'), await given('P-256')];
  expect(await refused({ keyPem: good.keyPem })).toMatch(/^Give the certificate/);
  expect(await refused({ certificatePem: 'x' })).toMatch(/no certificate in PEM/);
  expect(await refused({ ...good, keyPem: 'x' })).toMatch(/no private key in PEM/);
  expect(await refused({ ...good, keyPem: other.keyPem })).toMatch(/not that of the certificate/);
  expect(await refused(await given('P-256', { isAuthority: false }))).toMatch(/CA:TRUE/);
  expect(await refused(await given('P-256', { notAfter: new Date('2021-01-01') }))).toMatch(/has ended/);
  expect(await refused(await given('P-521'))).toMatch(/P-256 or P-384/);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const locked = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' });
  expect(await refused({ ...good, keyPem: locked })).toMatch(/without a passphrase/);
  await create(good);
  expect(await refused(good)).toMatch(/already/);
  await create();
  await create();
  expect(await refused({})).toBe('A project may have at most 3 certificate authorities. Delete one first.');
});

test('the newest authority that has a key issues', async () => {
  const first = await create();
  hub.advance(1);
  await create({ certificatePem: (await makeAuthority('elsewhere', hub.now())).certificatePem });
  const issuing = async () => (await policy()).authorities.find(({ isIssuing }) => isIssuing)?.authorityId;
  expect(await issuing()).toBe(first.authorityId);
  hub.advance(1);
  const second = await create();
  expect(await issuing()).toBe(second.authorityId);
  await hub.as(project.owner, 'projects_DeleteCertificateAuthority', { ...of, ...second });
  expect(await issuing()).toBe(first.authorityId);
});

test('a project demands certificates only while it has an authority', async () => {
  const set = () => hub.refusal(project.owner, 'projects_SetCertificatePolicy', { ...of, ...demand });
  expect((await set()).message).toBe('Create a certificate authority first.');
  const { authorityId } = await create();
  await seedDevice(hub, project);
  await hub.as(project.owner, 'projects_SetCertificatePolicy', { ...of, ...demand, foreignDays: 1 });
  expect(await policy()).toMatchObject({ ...demand, devicesWithIssued: 0, devicesWithout: 1 });
  const last = { ...of, authorityId };
  const refusal = await hub.refusal(project.owner, 'projects_DeleteCertificateAuthority', last);
  expect(refusal.message).toMatch(/this is the last one/);
  hub.advance(86_401);
  expect(await policy()).toMatchObject({ devicesWithIssued: 0, devicesWithout: 0 });
  expect(
    hub.emittedEvents.find(({ name }) => name === 'projects_CertificatePolicyChanged')?.data,
  ).toMatchObject({
    policy: { ...demand, foreignDays: 1 },
    before: { isDemanded: false, validForDays: 30 },
  });
});

test('the keys of authorities are sealed again under a new key of the hub', async () => {
  const { authorityId } = await create();
  const rawId = ids.certificateAuthority.raw(authorityId);
  const { db } = hub.database;
  const row = () =>
    db
      .selectFrom('certificate_authorities')
      .select(['authority_id', 'sealed', 'sealed_under'])
      .where('authority_id', '=', rawId)
      .executeTakeFirstOrThrow();
  const before = keyOf(testVault, await row());
  const renewed = createVault([Buffer.alloc(32, 9), testVaultKey]);
  await reencryptAuthorityKeys(db, renewed);
  expect((await row()).sealed_under).toBe(renewed.keyId);
  expect(keyOf(renewed, await row())).toBe(before);
  await reencryptAuthorityKeys(db, testVault);
});
