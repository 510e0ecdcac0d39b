import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { actions, type ActionName } from './index.ts';

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly string[];
  readonly const?: string;
}

const outputOf = (name: ActionName): JsonSchema =>
  z.toJSONSchema(actions[name].output, { unrepresentable: 'any' }) as JsonSchema;
const inputOf = (name: ActionName): JsonSchema =>
  z.toJSONSchema(actions[name].input, { unrepresentable: 'any', io: 'input' }) as JsonSchema;

/** The schemas that a schema stands for: the items of a list, and each of several. */
function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  const several = schema.anyOf ?? schema.oneOf ?? (schema.items === undefined ? [] : [schema.items]);
  return several.length === 0 ? [schema] : several.flatMap(variantsOf);
}

/** The schemas at a path of fields, `a.b`. */
function at(schema: JsonSchema, path: string): readonly JsonSchema[] {
  let found = variantsOf(schema);
  for (const name of path === '' ? [] : path.split('.'))
    found = found.flatMap(({ properties }) => (properties?.[name] ? variantsOf(properties[name]) : []));
  return found;
}

const fieldsOf = (schema: JsonSchema, path = ''): string[] =>
  at(schema, path).flatMap(({ properties = {} }) => Object.keys(properties));

function expectFields(name: ActionName, path: string, fields: string): void {
  expect(fieldsOf(outputOf(name), path), `${name} ${path}`).toEqual(
    expect.arrayContaining(fields.split(' ')),
  );
}

const valuesOf = (name: ActionName, path: string): string[] =>
  at(outputOf(name), path).flatMap(
    (schema) => schema.enum ?? (schema.const === undefined ? [] : [schema.const]),
  );

describe('entities', () => {
  test('"Actor lookup result: kind and, when kind is User, userId."', () => {
    expectFields('actor_GetActor', 'actor', 'kind userId');
  });
  test('"User: userId, displayName, email, isAdmin."', () => {
    expectFields('users_GetUserDetails', '', 'userId displayName email isAdmin');
    expectFields('users_QueryUsers', 'users', 'userId displayName email isAdmin');
  });
  test('"Session: sessionId, userAgent, createdAt, expiresAt."', () => {
    expectFields('users_QueryUserSessions', 'sessions', 'sessionId userAgent createdAt expiresAt');
  });
  test('"User token: tokenId, createdAt, name."', () => {
    expectFields('users_QueryUserTokens', 'tokens', 'tokenId createdAt name');
    expect(fieldsOf(outputOf('users_QueryUserTokens'), 'tokens')).not.toContain('token');
  });
  test('"Project: projectId, name, devices (count), owner."', () => {
    expectFields('users_QueryUserProjects', 'projects', 'projectId name devices');
    expect(fieldsOf(inputOf('projects_CreateProject'))).toContain('owner');
  });
  test('"Project member: userId, displayName, email, isOwner." and "Repository member: userId, displayName, email, isOwner."', () => {
    expectFields('projects_QueryProjectMembers', 'users', 'userId displayName email isOwner');
    expectFields('repositories_QueryRepositoryMembers', 'members', 'userId displayName email isOwner');
  });
  test('"Project invitation (own list): invitationId, email. In the user\'s invitation list: invitationId, project{projectId, name}."', () => {
    expectFields('projects_QueryProjectInvitations', 'invitations', 'invitationId email');
    expectFields('users_QueryUserProjectInvitations', 'invitations', 'invitationId project');
    expectFields('users_QueryUserProjectInvitations', 'invitations.project', 'projectId name');
  });
  test('"Repository: repositoryId, name, packageCount, visibility (Private or Public), owner."', () => {
    expectFields('users_QueryUserRepositories', 'repositories', 'repositoryId name packageCount visibility');
    const visibility = valuesOf('users_QueryUserRepositories', 'repositories.visibility');
    expect(visibility.toSorted()).toEqual(['Private', 'Public']);
    expect(fieldsOf(inputOf('repositories_CreateRepository'))).toContain('owner');
  });
  test('"Repository invitation: invitationId, email, repository{repositoryId, name}."', () => {
    expectFields('repositories_QueryRepositoryInvitations', 'invitations', 'invitationId email');
    expectFields('users_QueryUserRepositoryInvitations', 'invitations', 'invitationId repository');
    expectFields('users_QueryUserRepositoryInvitations', 'invitations.repository', 'repositoryId name');
  });
  test('"Package: packageId, name. Version: versionId, createdAt, tags (tag, locked), assets. Asset: assetId, digest, size (bytes), filename."', () => {
    expectFields('repositories_QueryRepositoryPackages', 'packages', 'packageId name');
    expectFields('repositories_QueryPackageVersions', 'versions', 'versionId createdAt tags');
    expectFields('repositories_QueryPackageVersions', 'versions.tags', 'tag locked');
    expectFields('repositories_GetPackageVersionDetails', '', 'tags assets');
    expectFields('repositories_GetPackageVersionDetails', 'assets', 'assetId digest size filename');
  });
  test('"Deployment token: tokenId, name, createdAt, flags{autoAccept}."', () => {
    expectFields('projects_QueryProjectDeploymentTokens', 'tokens', 'tokenId name createdAt flags');
    expectFields('projects_QueryProjectDeploymentTokens', 'tokens.flags', 'autoAccept');
  });
  test('"Audit event: eventId, createdAt, event, actor, data (object or scalar), action{actionId} or job{jobId}."', () => {
    expectFields('audit_QueryAuditLogEvents', 'events', 'eventId createdAt event actor data action job');
    expectFields('audit_QueryAuditLogEvents', 'events.action', 'actionId');
    expectFields('audit_QueryAuditLogEvents', 'events.job', 'jobId');
  });
  test('"Actor kinds: Anonymous, System, User(userId), UserToken(tokenId, userId), ClusterNode(nodeId), Device(deviceId)."', () => {
    expect(valuesOf('actor_GetActor', 'actor.kind').toSorted()).toEqual(
      ['Anonymous', 'System', 'User', 'UserToken', 'ClusterNode', 'Device'].toSorted(),
    );
    expectFields('actor_GetActor', 'actor', 'userId tokenId nodeId deviceId');
  });
  test('"Action: actionId, action, actor, data, status."', () => {
    expectFields('audit_QueryAuditLogActions', 'actions', 'actionId action actor data status');
  });
  test('"Job: jobId, createdAt, job, queued, status."', () => {
    expectFields('jobs_QueryJobs', 'jobs', 'jobId createdAt job queued status');
  });
  test('"Cluster node: nodeId, name, uptimeSecs"', () => {
    expectFields('cluster_GetClusterDetails', 'nodes', 'nodeId name uptimeSecs');
  });
  test('"Instance stats: devices, projects, users."', () => {
    expectFields('instance_GetInstanceStatistics', '', 'devices projects users');
  });
  test('"Device (list): deviceId, name (optional), firstSeen, isConnected, pendingCertificatesCount."', () => {
    const fields = 'deviceId name firstSeen isConnected pendingCertificatesCount';
    expectFields('projects_QueryProjectDevices', 'devices', fields);
  });
  test('"Device details: name, metadata (map of string or object), certificates, connections."', () => {
    expectFields('devices_GetDeviceDetails', '', 'name metadata certificates connections');
  });
  test('"Certificate: certificateId, firstSeen, status, fingerprint." and "Connection: connectionId, connectedAt, connectedForSecs, nodeId."', () => {
    expectFields('devices_GetDeviceDetails', 'certificates', 'certificateId firstSeen status fingerprint');
    expectFields(
      'devices_GetDeviceDetails',
      'connections',
      'connectionId connectedAt connectedForSecs nodeId',
    );
  });
  test('"Device event: eventId, severity, emittedAt, body (string or object), category, attributes (map)."', () => {
    const fields = 'eventId severity emittedAt body category attributes';
    expectFields('devices_QueryDeviceEvents', 'events', fields);
  });
});

describe('states', () => {
  test('"Action status: Pending, Succeeded, Failed, Rejected, Panicked."', () => {
    expect(valuesOf('audit_QueryAuditLogActions', 'actions.status').toSorted()).toEqual([
      'Failed',
      'Panicked',
      'Pending',
      'Rejected',
      'Succeeded',
    ]);
  });
  test('"Job status: Pending, Completed, Failed, Expired, Cancelled."', () => {
    expect(valuesOf('jobs_QueryJobs', 'jobs.status').toSorted()).toEqual([
      'Cancelled',
      'Completed',
      'Expired',
      'Failed',
      'Pending',
    ]);
  });
  test('"Certificate status: Pending, Active, Rejected, Revoked."', () => {
    expect(valuesOf('devices_GetDeviceDetails', 'certificates.status').toSorted()).toEqual([
      'Active',
      'Pending',
      'Rejected',
      'Revoked',
    ]);
  });
  test('"Event severity: Trace, Debug (muted), Info, Warning, Error, Critical (Error and Critical as danger)."', () => {
    expect(valuesOf('devices_QueryDeviceEvents', 'events.severity').toSorted()).toEqual([
      'Critical',
      'Debug',
      'Error',
      'Info',
      'Trace',
      'Warning',
    ]);
  });
  test('"Registration result: Created (awaiting email confirmation), Pending (already pending for this email), EmailAlreadyExists."', () => {
    expect(valuesOf('users_RegisterUser', 'result').toSorted()).toEqual([
      'Created',
      'EmailAlreadyExists',
      'Pending',
    ]);
  });
  test('"Activation result: Completed or Failed."', () => {
    const results = valuesOf('users_CompleteRegistration', 'result');
    expect(results).toEqual(expect.arrayContaining(['Completed', 'Failed']));
  });
});

/** Each operation with the fields of its input and of its response. */
const operations = [
  'actor_GetActor {} returns actor{kind, userId}',
  'cluster_GetClusterDetails {} returns nodes[nodeId, name, uptimeSecs]',
  'instance_GetInstanceStatistics {}',
  'users_QueryUsers {} returns users',
  'users_GetUserDetails {userId}',
  'users_QueryUserSessions {userId} returns sessions',
  'users_TerminateUserSession {sessionId}',
  'users_QueryUserTokens {userId} returns tokens',
  'users_CreateUserToken {userId, name} returns token',
  'users_DeleteUserToken {tokenId}',
  'users_SetUserPassword {userId, password}',
  'users_SetUserDisplayName {userId, displayName}',
  'users_DeleteUser {userId}',
  'users_CreateUser {email, displayName, isAdmin} returns result',
  'users_RegisterUser {displayName, email, password, consentedToTerms, consentedToMarketing} returns result',
  'users_CompleteRegistration {activationToken} returns result',
  'users_QueryUserRepositories {userId} returns repositories',
  'users_QueryUserProjects {userId} returns projects',
  'users_QueryUserProjectInvitations {userId}',
  'users_QueryUserRepositoryInvitations {userId}',
  'users_AcceptProjectInvitation {invitationId}',
  'users_AcceptRepositoryInvitation {invitationId}',
  'repositories_GetRepositoryDetails {repositoryId}',
  'repositories_CreateRepository {name, owner} returns result and repositoryId',
  'repositories_DeleteRepository {repositoryId}',
  'repositories_SetRepositoryVisibility {repositoryId, visibility}',
  'repositories_QueryRepositoryPackages {repositoryId} returns packages',
  'repositories_QueryPackageVersions {packageId} returns versions',
  'repositories_QueryRepositoryAssets {repositoryId} returns assets',
  'repositories_GetPackageVersionDetails {versionId} returns tags and assets',
  'repositories_QueryRepositoryMembers {repositoryId}',
  'repositories_RemoveRepositoryMember {repositoryId, userId}',
  'repositories_InviteRepositoryMember {repositoryId, email}',
  'repositories_QueryRepositoryInvitations {repositoryId}',
  'repositories_QueryAuditLogEvents {repositoryId}',
  'repositories_IssueAssetDownloadUrl {assetId, filename} returns url',
  'projects_CreateProject {name, owner} returns projectId',
  'projects_GetProjectDetails {projectId}',
  'projects_DeleteProject {projectId}',
  'projects_QueryProjectDeploymentTokens {projectId}',
  'projects_CreateDeploymentToken {projectId, name, flags{autoAccept: true}} returns token',
  'projects_SetDeploymentTokenFlags {tokenId, flags{autoAccept}}',
  'projects_DeleteDeploymentToken {tokenId}',
  'projects_QueryProjectRepositories {projectId}',
  'projects_AddProjectRepository {projectId, repositoryId}',
  'projects_RemoveProjectRepository {projectId, repositoryId}',
  'projects_QueryProjectMembers {projectId} returns users',
  'projects_QueryProjectInvitations {projectId} returns invitations',
  'projects_RemoveProjectMember {projectId, userId}',
  'projects_InviteProjectMember {projectId, email}',
  'projects_QueryAuditLog {projectId} returns events',
  'projects_QueryProjectDevices {projectId} returns devices',
  'devices_GetDeviceDetails {deviceId}',
  'devices_DeleteDevice {deviceId}',
  'devices_SetDeviceName {deviceId, name}',
  'devices_IssueDeviceHttpProxyToken {deviceId} returns url',
  'devices_DeleteDeviceCertificate {certificateId}',
  'devices_SetDeviceCertificateStatus {certificateId, status}',
  'devices_QueryDeviceEvents {deviceId, limit (default 10)} returns events',
  'audit_QueryAuditLogEvents {}',
  'audit_QueryAuditLogActions {}',
  'jobs_QueryJobs {}',
] as const;

test.each(operations)('"Named operations (input, response)": %s', (operation) => {
  const [, name = '', input = '', output = ''] =
    /^(\w+)(?: \{(.*?)\})?(?: returns (.*))?$/.exec(
      operation.replace(/\{autoAccept[^}]*\}|\[.*?\]|\(.*?\)/g, ''),
    ) ?? [];
  const words = (text: string): string[] => text.match(/\w+(?![^{]*\})/g) ?? [];
  expect(fieldsOf(inputOf(name as ActionName))).toEqual(expect.arrayContaining(words(input)));
  const given = words(output).filter((word) => word !== 'and');
  expect(fieldsOf(outputOf(name as ActionName))).toEqual(expect.arrayContaining(given));
});
