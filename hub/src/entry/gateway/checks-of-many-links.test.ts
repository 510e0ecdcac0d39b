import { type Actor, type Id, ids } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { projectScene } from '../../../test/device-scene.ts';
import { recordStatements } from '../../../test/recorded-statements.ts';
import { newRawId } from '../../auth/random.ts';
import { ConnectionRegistry, Link } from './link.ts';
import { EndedCredentials } from './revocations.ts';

const { hub, project } = projectScene();
const count = 2_500;

/** Devices with an active certificate, and a link of each that is registered as admitted ones are; as many as three statements check. */
async function linkedDevices(): Promise<{ credentials: EndedCredentials; links: Link[] }> {
  const { db } = hub.database;
  const projectId = ids.project.raw(project.projectId);
  const rawIds = Array.from({ length: count }, newRawId);
  await sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
    select id, ${projectId}, id, '', ${hub.now()} from unnest(${rawIds}::text[]) as id`.execute(db);
  await sql`insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
    select id, id, id, 'Active', ${hub.now()} from unnest(${rawIds}::text[]) as id`.execute(db);
  const registry = new ConnectionRegistry(() => performance.now());
  const actor = { actor: 'Device', kind: 'Device' } as Actor;
  const links = rawIds.map(
    (rawId) => new Link(actor, { certificateId: ids.deviceCertificate.of(rawId) }, true, undefined),
  );
  for (const link of links) registry.add(link, 0);
  const credentials = new EndedCredentials({ registry, parts: { executor: hub.executor } });
  return { credentials, links };
}

const closed = (links: readonly Link[]) => links.filter(({ closeReason }) => closeReason !== undefined);

/** How many statements a check took. */
async function statementsOf(check: () => Promise<void>): Promise<number> {
  using recorded = recordStatements();
  await check();
  return recorded.containing('from device_certificates c').length;
}

test('a check of many links is one statement until something is revoked, and then finds it wherever it is', async () => {
  const { credentials, links } = await linkedDevices();
  await credentials.check();
  const check = () => credentials.check();
  expect(await statementsOf(check)).toBe(1);
  const last = links.at(-1)!;
  await hub.as(project.owner, 'devices_SetDeviceCertificateStatus', {
    certificateId: last.credentialRefs.certificateId as Id<'deviceCertificate'>,
    status: 'Revoked',
  });
  expect(await statementsOf(check)).toBe(3);
  expect(closed(links)).toEqual([last]);
  expect([await statementsOf(check), await statementsOf(check)]).toEqual([3, 1]);
});

test('a revocation that nobody recorded is found when the turn of its link comes', async () => {
  const { credentials, links } = await linkedDevices();
  await credentials.check();
  const last = links.at(-1)!;
  const certificateId = ids.deviceCertificate.raw(
    last.credentialRefs.certificateId as Id<'deviceCertificate'>,
  );
  await sql`update device_certificates set status = 'Revoked' where certificate_id = ${certificateId}`.execute(
    hub.database.db,
  );
  for (let turn = 0; turn < 3; turn += 1) await credentials.check();
  expect(closed(links)).toEqual([last]);
});

test('a certificate that ends by its time is found by the next check, wherever its link is', async () => {
  const { credentials, links } = await linkedDevices();
  for (let turn = 0; turn < 4; turn += 1) await credentials.check();
  const last = links.at(-1)!;
  const certificateId = ids.deviceCertificate.raw(
    last.credentialRefs.certificateId as Id<'deviceCertificate'>,
  );
  const endsAt = new Date(hub.now().getTime() + 1_000);
  await sql`update device_certificates set ends_at = ${endsAt} where certificate_id = ${certificateId}`.execute(
    hub.database.db,
  );
  await credentials.check();
  expect(closed(links)).toEqual([]);
  hub.advance(1);
  await credentials.check();
  expect(closed(links)).toEqual([last]);
});
