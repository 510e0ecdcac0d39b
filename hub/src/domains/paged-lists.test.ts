import { randomBytes } from 'node:crypto';
import { actions, ids, type ActionName, type Id } from '@corral/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newDatedRawId, newRawId } from '../auth/random.ts';
import { freshExecutor, system, type FreshExecutor } from '../../test/fresh-executor.ts';
import { seedDevice, seedProject, type SeededProject } from '../../test/seed.ts';
import { seedChange } from '../../test/seed-change.ts';
import { alertMuteRow, alertRow, alertRuleRow } from '../../test/seed-alert-rows.ts';
import { terminalRow } from '../../test/seed-terminal.ts';
import { seedCatalogue, type Catalogue } from '../../test/seed-repository.ts';
import { readPage, walkPages } from '../../test/walk-pages.ts';
import { handlers } from './handlers.ts';

let hub: FreshExecutor;
let project: SeededProject;
let deviceId: Id<'device'>;
let catalogue: Catalogue;
let operationId: Id<'fleetOperation'>;
let jobId: Id<'fleetJob'>;
beforeAll(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
  catalogue = await seedCatalogue(hub, { owner: project.owner });
  deviceId = (await seedDevice(hub, project)).deviceId;
  ({ fleetOperationId: operationId } = await hub.as(project.owner, 'fleet_CreateOperation', {
    projectId: project.projectId,
    name: 'Ring',
    selector: { query: 'all', predicates: [] },
    stages: [],
    steps: [{ kind: 'RemoveDeviceProperty', name: 'ring' }],
  }));
  jobId = await seedChange(hub, project, deviceId);
});
afterAll(() => hub[Symbol.asyncDispose]());

const ofProject = () => ({ projectId: project.projectId });
const ofDevice = () => ({ deviceId });
const ofRepository = () => ({ repositoryId: catalogue.repositoryId });
const ofPackage = () => ({ packageId: catalogue.packageId });
const ofOwner = () => ({ userId: project.owner.userId });
const raw = () => ({
  project: ids.project.raw(project.projectId),
  device: ids.device.raw(deviceId),
  user: ids.user.raw(project.owner.userId),
  repository: ids.repository.raw(catalogue.repositoryId),
  package: ids.package.raw(catalogue.packageId),
});
/** One of a few times, so that rows with equal times are common. */
const at = () => new Date(Date.UTC(2026, 10, 20, 11, 0, Math.floor(Math.random() * 4)));
const place = () => ({ project: raw().project, at });
const aName = () => ['Plant', 'plant', 'Mill', 'Żar'][Math.floor(Math.random() * 4)];

const addDevice = () => sql`
  insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
  values (${newRawId()}, ${raw().project}, ${newRawId()}, '', ${at()})`;
const addPending = () => sql`
  insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
  values (${newRawId()}, ${raw().device}, ${newRawId()}, 'Pending', ${at()})`;
const addEvent = () => sql`
  insert into device_events (device_id, event_month, event_id, severity, body, attributes, emitted_at, received_at)
  values (${raw().device}, 202611, ${`20261120-1159-${newRawId().slice(0, 8)}`}, 'Info', '1', '{}', ${at()}, now())`;
const addProject = () => sql`
  with project as (
    insert into projects (project_id, name, created_at)
    values (${newRawId()}, ${aName()}, now()) returning project_id
  )
  insert into project_members (project_id, user_id, is_owner, added_at)
  select project_id, ${raw().user}, true, now() from project`;
const addUser = () => sql`
  with person as (
    insert into users (user_id, email, created_at) values (${newRawId()}, ${`${newRawId()}@example.org`}, now()) returning user_id
  )
  insert into project_members (project_id, user_id, is_owner, added_at)
  select ${raw().project}, user_id, ${Math.random() < 0.5}, now() from person`;
const addReference = () => sql`
  with package as (
    insert into packages (package_id, repository_id, name, created_at)
    values (${newRawId()}, ${raw().repository}, ${newRawId()}, now()) returning package_id
  )
  insert into package_assets (package_id, filename, asset_id, added_at)
  select package_id, 'image', ${ids.asset.raw(catalogue.assetId)}, ${at()} from package`;
const addSignIn = () => sql`
  with entry as (
    insert into audit_events (event_id, actor, event, data, created_at)
    values (${newRawId()}, ${JSON.stringify(system)}, 'users_SignInFailed', '{}', ${at()}) returning *
  )
  insert into audit_event_entities (entity_kind, entity_id, created_at, event_id)
  select 'user', ${raw().user}, created_at, event_id from entry`;
const addAuditEvent = () => sql`
  with entry as (
    insert into audit_events (event_id, actor, event, data, created_at)
    values (${newRawId()}, ${JSON.stringify(system)}, 'devices_Created', '{}', ${at()}) returning *
  )
  insert into audit_event_entities (entity_kind, entity_id, created_at, event_id)
  select kind, id, created_at, event_id
  from entry, (values ('project', ${raw().project}), ('repository', ${raw().repository})) as about(kind, id)`;
/** A repository of the owner that is linked to the project. */
const addRepository = () => sql`
  with repository as (
    insert into repositories (repository_id, name, visibility, created_at)
    values (${newRawId()}, ${`${aName()} ${newRawId()}`}, 'Private', now()) returning repository_id
  ),
  link as (
    insert into project_repositories (project_id, repository_id, linked_at)
    select ${raw().project}, repository_id, now() from repository
  )
  insert into repository_members (repository_id, user_id, is_owner, added_at)
  select repository_id, ${raw().user}, true, now() from repository`;
/** An invitation of somebody to the project or the repository. */
const addSent = (projectId: string | null, repositoryId: string | null) => sql`
  insert into invitations (invitation_id, project_id, repository_id, email, created_at, expires_at)
  values (${newRawId()}, ${projectId}, ${repositoryId}, ${`${newRawId()}@example.org`}, ${at()}, '2026-12-04T12:00:00Z')`;
/** An invitation of the owner to another project. */
const addReceivedToProject = () => sql`
  with project as (
    insert into projects (project_id, name, created_at) values (${newRawId()}, ${aName()}, now()) returning project_id
  )
  insert into invitations (invitation_id, project_id, email, created_at, expires_at)
  select ${newRawId()}, project_id, u.email, ${at()}, '2026-12-04T12:00:00Z' from project, users u
  where u.user_id = ${raw().user}`;
const addReceivedToRepository = () => sql`
  with repository as (
    insert into repositories (repository_id, name, visibility, created_at)
    values (${newRawId()}, ${`${aName()} ${newRawId()}`}, 'Private', now()) returning repository_id
  )
  insert into invitations (invitation_id, repository_id, email, created_at, expires_at)
  select ${newRawId()}, repository_id, u.email, ${at()}, '2026-12-04T12:00:00Z' from repository, users u
  where u.user_id = ${raw().user}`;
const addServiceAccount = (projectId: string | null, repositoryId: string | null) => sql`
  insert into users (user_id, email, display_name, created_at, is_service, service_project_id, service_repository_id)
  values (${newRawId()}, ${newRawId()}, 'Build', ${at()}, true, ${projectId}, ${repositoryId})`;
const addMember = () => sql`
  with person as (
    insert into users (user_id, email, created_at) values (${newRawId()}, ${`${newRawId()}@example.org`}, now()) returning user_id
  )
  insert into repository_members (repository_id, user_id, is_owner, added_at)
  select ${raw().repository}, user_id, ${Math.random() < 0.5}, now() from person`;
const addLinkedProject = () => sql`
  with project as (
    insert into projects (project_id, name, created_at) values (${newRawId()}, ${aName()}, now()) returning project_id
  )
  insert into project_repositories (project_id, repository_id, linked_at)
  select project_id, ${raw().repository}, now() from project`;
const addPackage = () => sql`
  insert into packages (package_id, repository_id, name, created_at)
  values (${newRawId()}, ${raw().repository}, ${`${aName()}-${newRawId()}`}, now())`;
const addVersion = () => sql`
  insert into package_versions (version_id, package_id, repository_id, metadata, created_at)
  values (${newRawId()}, ${raw().package}, ${raw().repository}, '{}', ${at()})`;
const addMove = () => sql`
  insert into package_tag_moves (package_id, tag, moved_at, move_id, from_version_id, to_version_id, locked, actor)
  values (${raw().package}, 'stable', ${at()}, ${`20261120-1100-${newRawId().slice(0, 8)}`}, null, ${newRawId()}, false,
    ${JSON.stringify(system)})`;
const addAuditAction = () => sql`
  insert into audit_actions (action_id, actor, action, data, status, created_at)
  values (${newRawId()}, ${JSON.stringify(system)}, 'devices_DeleteDevice', '{}', 'Succeeded', ${at()})`;

const addOperation = () => sql`
  insert into fleet_operations (fleet_operation_id, project_id, name, status, definition, steps, close_when_converged, max_in_flight,
    pause_on_failure_percent, deliver_within_secs, created_by, created_at)
  values (${newRawId()}, ${raw().project}, 'Ring', 'Draft', '{"selector":{"predicates":[]},"stages":[]}', '[]', true, 50, 5, 60,
    ${JSON.stringify(system)}, ${at()})`;
const ofOperation = () => ({ fleetOperationId: operationId });
/** A new device with an operation, of the fleet or by itself. */
const addTarget = () => sql`
  with device as (
    insert into all_devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
    values (${newRawId()}, ${raw().project}, ${newRawId()}, '', ${at()}) returning device_id
  )
  insert into device_operations (device_operation_id, project_id, device_id, fleet_operation_id, name, step_count, stage_index,
    created_at, updated_at)
  select ${newRawId()}, ${raw().project}, device_id, ${ids.fleetOperation.raw(operationId)}, 'Ring', 1, 0, ${at()}, ${at()} from device`;
const addSelectionError = () => sql`
  with device as (
    insert into all_devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
    values (${newRawId()}, ${raw().project}, ${newRawId()}, '', ${at()}) returning device_id
  )
  insert into fleet_selection_errors (fleet_operation_id, device_id, error, updated_at)
  select ${ids.fleetOperation.raw(operationId)}, device_id, 'x', ${at()} from device`;
const addOperationEvent = () => sql`
  insert into operation_events (project_id, fleet_operation_id, at, kind, data)
  values (${raw().project}, ${ids.fleetOperation.raw(operationId)}, ${at()}, 'StageOpened', ${JSON.stringify({ stage: newRawId() })}::jsonb)`;
const addChangeResult = () => sql`
  insert into fleet_change_devices (change_id, device_id) values (${ids.fleetJob.raw(jobId)}, ${newRawId()})`;
const addDeviceOperation = () => sql`
  insert into device_operations (device_operation_id, project_id, device_id, name, steps, step_count, created_by, created_at, updated_at)
  values (${newRawId()}, ${raw().project}, ${raw().device}, 'Reboot', '[]', 1, ${JSON.stringify(system)}, ${at()}, ${at()})`;

interface List {
  readonly input: () => object;
  /** Inserts one row at a random position. */
  readonly add: () => ReturnType<typeof sql>;
}

const lists: Partial<Record<ActionName, List>> = {
  alerts_QueryRules: { input: ofProject, add: () => alertRuleRow(place(), newRawId(), aName()) },
  alerts_QueryAlerts: { input: ofProject, add: () => alertRow(place()) },
  alerts_QueryMutes: { input: ofProject, add: () => alertMuteRow(place()) },
  audit_QueryAuditLogActions: { input: () => ({}), add: addAuditAction },
  audit_QueryAuditLogEvents: { input: () => ({}), add: addAuditEvent },
  projects_QueryAuditLog: { input: ofProject, add: addAuditEvent },
  repositories_QueryAuditLogEvents: { input: ofRepository, add: addAuditEvent },
  users_QueryUserRepositories: { input: ofOwner, add: addRepository },
  projects_QueryProjectRepositories: { input: ofProject, add: addRepository },
  projects_QueryProjectInvitations: { input: ofProject, add: () => addSent(raw().project, null) },
  repositories_QueryRepositoryInvitations: {
    input: ofRepository,
    add: () => addSent(null, raw().repository),
  },
  users_QueryUserProjectInvitations: { input: ofOwner, add: addReceivedToProject },
  users_QueryUserRepositoryInvitations: { input: ofOwner, add: addReceivedToRepository },
  projects_QueryProjectServiceAccounts: {
    input: ofProject,
    add: () => addServiceAccount(raw().project, null),
  },
  repositories_QueryRepositoryServiceAccounts: {
    input: ofRepository,
    add: () => addServiceAccount(null, raw().repository),
  },
  repositories_QueryRepositoryMembers: { input: ofRepository, add: addMember },
  repositories_QueryRepositoryProjects: { input: ofRepository, add: addLinkedProject },
  repositories_QueryRepositoryPackages: { input: ofRepository, add: addPackage },
  repositories_QueryPackageVersions: { input: ofPackage, add: addVersion },
  repositories_QueryTagHistory: { input: ofPackage, add: addMove },
  cluster_GetClusterDetails: {
    input: () => ({}),
    add: () => sql`
      insert into cluster_nodes (node_id, joined_at, lease_until, last_heartbeat_at)
      values (${newRawId()}, ${at()}, '2100-01-01', now())`,
  },
  devices_QueryConnections: {
    input: ofDevice,
    add: () => sql`
      insert into device_connections (connection_id, device_id, node_id, connected_at, ended_at, end_reason)
      values (${newRawId()}, ${raw().device}, ${newRawId()}, ${at()}, '2026-11-20T12:00:00Z', 'Disconnected')`,
  },
  devices_QueryDeviceEvents: { input: ofDevice, add: addEvent },
  projects_QueryProjectEvents: { input: ofProject, add: addEvent },
  devices_QueryDeviceProperties: {
    input: ofDevice,
    add: () => sql`
      insert into device_properties (device_id, name, value, is_protected, version, updated_at)
      values (${raw().device}, ${newRawId()}, '1', false, 1, now())`,
  },
  devices_QueryTimeline: {
    input: () => ({ ...ofDevice(), kinds: ['Property'] }),
    add: () => sql`
      insert into device_property_changes (device_id, changed_at, name, last_changed_at, change, value)
      values (${raw().device}, ${at()}, ${newRawId()}, ${at()}, 'Set', '1')`,
  },
  devices_QueryDevices: { input: () => ({}), add: addDevice },
  devices_QueryOperations: { input: ofDevice, add: addDeviceOperation },
  devices_QueryTerminals: { input: ofProject, add: () => terminalRow(raw(), at()) },
  fleet_QueryOperations: { input: ofProject, add: addOperation },
  fleet_QueryOperationTargets: { input: ofOperation, add: addTarget },
  fleet_QueryOperationSelectionErrors: { input: ofOperation, add: addSelectionError },
  fleet_QueryChangeResults: { input: () => ({ jobId }), add: addChangeResult },
  fleet_QueryOperationEvents: { input: ofOperation, add: addOperationEvent },
  projects_QueryProjectDevices: { input: ofProject, add: addDevice },
  projects_QueryFilterFields: {
    input: ofProject,
    add: () =>
      sql`insert into project_property_names (project_id, name) values (${raw().project}, ${newRawId()})`,
  },
  devices_QueryCertificateRotations: {
    input: ofProject,
    add: () => sql`
      insert into certificate_rotations (rotation_id, project_id, device_id, nonce, state, grace_secs, started_by, started_at, until, ended_at)
      values (${newRawId()}, ${raw().project}, ${raw().device}, '', 'Expired', 60, '{"actor":"System"}', ${at()}, now(), now())`,
  },
  projects_QueryPendingCertificates: { input: ofProject, add: addPending },
  projects_QueryProjectMembers: { input: ofProject, add: addUser },
  users_QueryUsers: { input: () => ({}), add: addUser },
  users_QueryRegistrations: {
    input: () => ({}),
    add: () => sql`
      insert into user_registrations (user_id, email, password_hash, consented_to_marketing, created_at, expires_at)
      values (${newRawId()}, 'ann@example.org', '', false, ${at()}, ${new Date(Date.UTC(2030, 0))})`,
  },
  users_QueryWaitingMails: {
    input: () => ({}),
    add: () => sql`
      insert into queued_mails (mail_id, kind, user_id, attempts, created_at, next_attempt_at)
      select ${newRawId()}, 'PasswordChanged', user_id, 1, ${at()}, now() from users limit 1`,
  },
  projects_QueryProjects: { input: () => ({}), add: addProject },
  users_QueryUserProjects: { input: ofOwner, add: addProject },
  projects_QueryProjectDeploymentTokens: {
    input: ofProject,
    add: () => sql`
      insert into deployment_tokens (token_id, secret_hash, project_id, name, auto_accept, created_at)
      values (${newRawId()}, '', ${raw().project}, 'line', true, ${at()})`,
  },
  projects_QueryDevicePairingKeys: {
    input: ofProject,
    add: () => sql`
      insert into pairing_keys (pairing_key_id, project_id, selector, digest, created_at, expires_at)
      values (${newRawId()}, ${raw().project}, ${newRawId()}, '', ${at()}, ${at()})`,
  },
  projects_QueryWebhooks: {
    input: ofProject,
    add: () => sql`
      insert into webhooks (webhook_id, project_id, name, url, types, sealed, sealed_under, created_by, created_at)
      values (${newRawId()}, ${raw().project}, 'chat', 'https://hooks.example', '{}', '', '', '{}', ${at()})`,
  },
  projects_QueryWebhookDeliveries: {
    input: () => ({ webhookId: ids.webhook.of('w'.repeat(22)) }),
    add: () => sql`
      with w as (
        insert into webhooks (webhook_id, project_id, name, url, types, sealed, sealed_under, created_by, created_at)
        values (${'w'.repeat(22)}, ${raw().project}, 'log', 'https://hooks.example', '{}', '', '', '{}', ${at()}) on conflict do nothing
      )
      insert into webhook_messages (webhook_id, message_id, type, data, happened_at) values (${'w'.repeat(22)}, ${newDatedRawId(new Date())}, 'x', '{}', ${at()})`,
  },
  repositories_QueryRepositoryAssets: {
    input: () => ({ repositoryId: catalogue.repositoryId }),
    add: () => sql`
      insert into assets (asset_id, repository_id, digest, size, storage_key, created_at, touched_at)
      values (${newRawId()}, ${raw().repository}, ${randomBytes(32)}, 1, 'x', ${at()}, now())`,
  },
  repositories_QueryAssetReferences: { input: () => ({ assetId: catalogue.assetId }), add: addReference },
  users_QuerySignIns: { input: ofOwner, add: addSignIn },
  users_QueryUserSessions: {
    input: ofOwner,
    add: () => sql`
      insert into user_sessions (session_id, secret_hash, user_id, user_agent, created_at, last_used_at, idle_timeout_secs, expires_at)
      values (${newRawId()}, '', ${raw().user}, 'browser', ${at()}, '2026-11-20T12:00:00Z', 3600, '2026-12-20T12:00:00Z')`,
  },
  users_QueryUserTokens: {
    input: ofOwner,
    add: () => sql`
      insert into user_tokens (token_id, secret_hash, user_id, created_at)
      values (${newRawId()}, '', ${raw().user}, ${at()})`,
  },
};

/** Lists whose rows are no rows of a table of the migrations, or of a person only: tested beside their handler, and with the job queue. */
const elsewhere = [
  'devices_QueryCommands',
  'jobs_QueryJobs',
  'projects_ExportAuditLog',
  'projects_QuerySavedViews',
  'repositories_GetAssetChunks',
];

test('every list that the hub serves is among these', () => {
  const paged = Object.keys(handlers).filter((name) => 'after' in shapeOf(name as ActionName));
  expect(paged.toSorted()).toEqual([...Object.keys(lists), ...elsewhere].toSorted());
});

test('every query of a list is paged', () => {
  // A history has as many steps as its range, and failures have 50 groups at most.
  const histories = /_Query(?:History|VersionHistory|OperationHistory|StoredBytes|FailureGroups|AlertDays)$/;
  const queries = Object.keys(actions).filter((name) => name.includes('_Query') && !histories.test(name));
  expect(queries.filter((name) => !('after' in shapeOf(name as ActionName)))).toEqual([]);
});

function shapeOf(name: ActionName): object {
  const { input } = actions[name];
  return 'shape' in input ? (input.shape as object) : {};
}

const wholeList = { limit: 1000 };

describe.each(Object.entries(lists))('%s', (action, { input, add }) => {
  const name = action as ActionName;
  const addRows = async (count: number) => {
    for (let row = 0; row < count; row += 1) await add().execute(hub.database.db);
  };

  test('page by page is the whole list, whatever the limit', async () => {
    await addRows(25);
    const { rows: whole } = await readPage(hub, name, { ...input(), ...wholeList });
    expect(whole.length).toBeGreaterThanOrEqual(25);
    const property = fc.asyncProperty(fc.integer({ min: 1, max: whole.length + 1 }), async (limit) => {
      expect(await walkPages(hub, { name, input: input(), limit })).toEqual(whole);
    });
    await fc.assert(property, { numRuns: 5 });
  });

  test('rows that are added meanwhile neither repeat nor hide any of the others', async () => {
    const { rows: before } = await readPage(hub, name, { ...input(), ...wholeList });
    const walked = await walkPages(hub, { name, input: input(), limit: 7 }, () => addRows(2));
    expect(new Set(walked).size).toBe(walked.length);
    expect(walked.filter((row) => before.includes(row))).toEqual(before);
  });

  test('a cursor of another list is refused', async () => {
    const { next } = await readPage(hub, name, { ...input(), limit: 1 });
    const other: ActionName = name === 'users_QueryUsers' ? 'projects_QueryProjects' : 'users_QueryUsers';
    expect(await hub.refusal(system, other, { after: next })).toEqual({
      kind: 'Invalid',
      message: 'The field after must be the next of an earlier answer for the same list.',
    });
  });
});
