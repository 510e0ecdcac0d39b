import { ActionError, ids, type ActionName, type Actor } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absentId, anonymous, freshExecutor, type FreshExecutor } from '../../test/fresh-executor.ts';
import { idFieldsOf, type IdField, type NameKind } from '../../test/id-fields.ts';
import { sampleInput } from '../../test/sample-inputs.ts';
import { seedChange } from '../../test/seed-change.ts';
import { seedPublisher } from '../../test/seed-publisher.ts';
import { seedCatalogue } from '../../test/seed-repository.ts';
import { seedAlert } from '../../test/seed-alert.ts';
import { seedTerminal } from '../../test/seed-terminal.ts';
import { seedCertificateAuthority } from '../../test/seed-certificate-authority.ts';
import { seedPairingKey } from '../../test/seed-pairing-key.ts';
import { seedWebhook } from '../../test/seed-webhook.ts';
import { byToken, seedDevice, seedNode, seedProject, seedUser } from '../../test/seed.ts';
import { newRawId } from '../auth/random.ts';
import { handlers } from './handlers.ts';
import { RegisterDeviceConnection } from './devices/internal/RegisterDeviceConnection.ts';
import { justProved } from '../../test/just-proved.ts';

/** Actions that may name another user's id: an owner may add any user. */
const openFields = new Set(['projects_AddProjectMember.userId', 'repositories_AddRepositoryMember.userId']);
/** Actions that give the same answer for foreign and missing entities instead of refusing. */
const answeredFields = new Set([
  'devices_GetOperation.deviceOperationId',
  'devices_ReportOperationStep.deviceOperationId',
  'fleet_GetOperation.fleetOperationId',
  'fleet_QueryOperationEvents.deviceId',
  'users_GetDevicePermissions.deviceId',
  'projects_QueryAuditLog.before',
  'repositories_QueryAuditLogEvents.before',
]);

const fields: IdField[] = (Object.keys(handlers) as ActionName[])
  .flatMap(idFieldsOf)
  .filter(({ action, field }) => !openFields.has(`${action}.${field}`));

type Things = Record<NameKind, string>;

let hub: FreshExecutor;
let foreign: Things;
let own: Things;
const callers: Record<string, Actor> = {};

async function someThings(): Promise<{ things: Things; owner: Actor & { actor: 'User' }; device: Actor }> {
  const project = await seedProject(hub);
  const { owner } = project;
  const device = await seedDevice(hub, project);
  const clusterNode = await seedNode(hub);
  const { connectionId } = await hub.run(RegisterDeviceConnection, {
    deviceId: device.deviceId,
    nodeId: clusterNode,
  });
  const catalogue = await seedCatalogue(hub, { owner });
  const guest = { email: `${newRawId()}@example.org` };
  const { projectId } = project;
  const { repositoryId } = catalogue;
  const toProject = await hub.as(owner, 'projects_InviteProjectMember', { projectId, ...guest });
  const toRepository = await hub.as(owner, 'repositories_InviteRepositoryMember', { repositoryId, ...guest });
  const steps = [{ kind: 'RemoveDeviceProperty' as const, name: 'ring' }];
  const { deviceId } = device;
  const alone = await hub.as(owner, 'devices_CreateOperation', { deviceId, name: 'x', steps });
  const selector = { deviceIds: [deviceId], predicates: [] };
  const ofFleet = await hub.as(owner, 'fleet_CreateOperation', {
    projectId,
    name: 'x',
    selector,
    stages: [],
    steps,
  });
  const { events } = await hub.as(owner, 'projects_QueryAuditLog', { projectId: project.projectId });
  const things = {
    clusterNode,
    user: owner.userId,
    organization: ids.organization.of(ids.user.raw(owner.userId)),
    userTokenId: (await hub.as(owner, 'users_CreateUserToken', { userId: owner.userId })).tokenId,
    session: await seedSession(ids.user.raw(owner.userId)),
    project: project.projectId,
    deploymentTokenId: device.tokenId,
    device: device.deviceId,
    deviceCertificate: device.certificateId,
    deviceConnection: connectionId,
    deviceOperation: alone.deviceOperationId,
    fleetOperation: ofFleet.fleetOperationId,
    ...(await seedPairingKey(hub, project)),
    ...(await seedCertificateAuthority(hub, project)),
    ...(await seedWebhook(hub, project)),
    ...(await seedAlert(hub, project, deviceId)),
    ...(await seedTerminal(hub, project, { deviceId, opener: owner })),
    fleetJob: await seedChange(hub, project, deviceId),
    repository: catalogue.repositoryId,
    package: catalogue.packageId,
    packageVersion: catalogue.versionId,
    asset: catalogue.assetId,
    projectInvitation: toProject.invitationId,
    repositoryInvitation: toRepository.invitationId,
    publisher: await seedPublisher(hub, owner, catalogue.repositoryId),
    auditEvent: events[0]!.eventId,
    auditAction: events.find(({ action }) => action !== undefined)!.action!.actionId,
  };
  return { things, owner, device: device.actor };
}

async function seedSession(userId: string): Promise<string> {
  const session_id = newRawId();
  await hub.database.db
    .insertInto('user_sessions')
    .values({
      session_id,
      secret_hash: Buffer.alloc(32),
      user_id: userId,
      user_agent: '',
      created_at: hub.now(),
      last_used_at: hub.now(),
      idle_timeout_secs: 3600,
      expires_at: new Date(hub.now().getTime() + 3_600_000),
    })
    .execute();
  return ids.session.of(session_id);
}

beforeAll(async () => {
  hub = await freshExecutor();
  foreign = (await someThings()).things;
  const mine = await someThings();
  own = mine.things;
  callers['a stranger'] = mine.owner;
  callers['a stranger by a token'] = await byToken(hub, mine.owner);
  callers['an administrator by a token'] = await byToken(hub, await seedUser(hub, 'root@example.org', true));
  callers['a foreign device'] = mine.device;
  callers['nobody'] = anonymous;
});
afterAll(() => hub[Symbol.asyncDispose]());

/** Everything that a caller receives, as text. */
async function answerTo(actor: Actor, idField: IdField, id: string): Promise<string> {
  const input = sampleInput(idField.action, own, hub.now(), { [idField.field]: id });
  const call = hub.executor.execute(
    { actor, origin: { ip: '127.0.0.1', ...justProved } },
    idField.action,
    input,
  );
  return call.then(
    (output) => `answered ${JSON.stringify(output)}`,
    (error: unknown) => {
      if (!(error instanceof ActionError)) throw error;
      const { kind, retryAfterSecs } = error;
      return `refused ${JSON.stringify({ kind, retryAfterSecs, body: error.toBody() })}`;
    },
  );
}

test('the actions that take ids are found', () => {
  expect(fields.length).toBeGreaterThan(40);
});

describe('foreign and missing entities get the same answer', () => {
  test.each(fields.map((idField) => [`${idField.action}.${idField.field}`, idField] as const))(
    '%s',
    async (name, idField) => {
      for (const [who, actor] of Object.entries(callers)) {
        const missing = await answerTo(actor, idField, absentNameOf(idField.kind));
        const existing = await answerTo(actor, idField, foreign[idField.kind]);
        expect(existing, who).toBe(missing);
        expect(existing, who).not.toMatch(/The field|The input|Internal/);
        if (!answeredFields.has(name)) expect(existing, who).toMatch(/^refused/);
      }
    },
  );
});

function absentNameOf(kind: NameKind): string {
  if (
    kind === 'auditEvent' ||
    kind === 'auditAction' ||
    kind === 'webhookMessage' ||
    kind === 'alert' ||
    kind === 'terminal'
  )
    return ids[kind].of('20261120-1100-AAAAAAAA');
  return absentId(kind);
}

test('nothing foreign was changed by all these calls', async () => {
  const { db } = hub.database;
  const device = await db
    .selectFrom('devices')
    .selectAll()
    .where('device_id', '=', ids.device.raw(foreign.device as 'd_'))
    .executeTakeFirstOrThrow();
  expect(device).toMatchObject({ name: null, metadata: {} });
  const token = await db
    .selectFrom('deployment_tokens')
    .selectAll()
    .where('token_id', '=', foreign.deploymentTokenId.slice('deployment_id_'.length))
    .executeTakeFirst();
  expect(token).toMatchObject({ auto_accept: true });
  const events = hub.emittedEvents.filter(({ data }) => data['projectId'] === foreign.project);
  expect(events.map(({ name }) => name)).not.toContain('projects_Deleted');
});
