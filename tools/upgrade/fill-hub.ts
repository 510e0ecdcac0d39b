import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Executor } from '@corral/client';
import { datedRaw, ids, randomSymbols, type Id } from '@corral/contract';
import { codeOf, signInOverHttp, type Credentials, type Session } from './sign-in.ts';

/** What a hub was filled with. */
export interface Filling {
  /** Who reads it back, each with a session. */
  readonly readers: { readonly administrator: Executor; readonly member: Executor };
  /** A token of the member. */
  readonly token: string;
  /** A member who signs in with a second factor. */
  readonly member: Required<Credentials>;
  /** Enrols devices. */
  readonly deploymentToken: string;
  readonly projectId: Id<'project'>;
  /** Values of fields of queries that answers do not have, by the name of the field. */
  readonly known: Readonly<Record<string, readonly unknown[]>>;
}

const randomOf = (count: number): Uint8Array => randomBytes(count);
const password = 'hayrick-and-harness';
const metadata = { site: 'north', rack: 7, tags: ['a', null, { deep: 'ü – ✓' }] };
const window = { from: '22:00', to: '05:30', timeZone: 'Europe/Berlin' };
const issuer = 'https://ci.invalid';
const nobody = 'https://nobody.invalid/hook';

/** Fills a hub with data of all kinds through its API, as its first administrator, and with a device whose agent the caller starts. Webhooks lead to nobody. */
export async function fillHub(
  url: string,
  administrator: Credentials,
  startAgent: (deploymentToken: string) => void,
): Promise<Filling> {
  const admin = await signInOverHttp(url, administrator);
  const { projectId } = await admin.invoke('projects_CreateProject', { name: 'Barn' });
  await fillSettings(admin);
  const people = await fillPeople(url, admin, projectId);
  const software = await fillSoftware(admin, projectId, people.memberId);
  const fleet = await fillFleet(admin, projectId, software.versionId, startAgent);
  await fillWatch(admin, projectId, fleet.deviceId);
  return {
    readers: { administrator: admin, member: people.session },
    token: people.token,
    member: people.member,
    deploymentToken: fleet.deploymentToken,
    projectId,
    known: {
      repository: ['barn-firmware'],
      package: ['gate'],
      tag: ['stable'],
      filename: ['image.img'],
      name: ['ring'],
      index: [0],
      filter: ['all'],
      filters: [['all', 'site:north']],
      token: people.links,
      invitationToken: people.invitations,
      jwt: fleet.jwts,
      condition: [{ kind: 'Offline', forSecs: 60 }],
      change: [{ kind: 'SetLabel', name: 'site', value: 'south' }],
      query: ['all'],
      selector: [{ query: 'all', predicates: [] }],
      stages: [[]],
      steps: [[{ kind: 'RemoveDeviceProperty', name: 'ring' }]],
    },
  };
}

/** Accounts, a second factor, tokens, members, invitations, links and a login that waits. */
async function fillPeople(url: string, admin: Session, projectId: Id<'project'>) {
  const add = async (email: string): Promise<Id<'user'>> => {
    const added = await admin.invoke('users_CreateUser', { email, displayName: 'Ada Öre', password });
    if (added.result !== 'Created') throw new Error(`There is a user ${email} already.`);
    return added.userId;
  };
  const [memberId, lockedId] = [await add('member@example.org'), await add('locked@example.org')];
  await admin.invoke('users_SetUserIsDisabled', { userId: lockedId, isDisabled: true });
  const session = await signInOverHttp(url, { email: 'member@example.org', password });
  const { secret } = await session.invoke('users_BeginAuthenticatorEnrolment', {});
  await session.invoke('users_ConfirmAuthenticatorEnrolment', { code: codeOf(secret, -1) });
  await admin.invoke('projects_AddProjectMember', { projectId, userId: memberId });
  const { token } = await session.invoke('users_CreateUserToken', {
    userId: memberId,
    name: 'build',
    access: 'read',
    projects: [projectId],
    validForDays: 90,
  });
  const invited = await admin.invoke('projects_InviteProjectMember', { projectId, email: 'new@example.org' });
  const { url: invitation } = await admin.invoke('projects_IssueProjectInvitationLink', invited);
  const link = await admin.invoke('users_IssuePasswordLink', { userId: memberId });
  await session.invoke('users_RequestLogin', { name: 'command line' });
  const registration = { email: 'soon@example.org', password, consentedToTerms: true };
  await admin.invoke('users_RegisterUser', registration);
  return {
    memberId,
    session,
    token,
    member: { email: 'member@example.org', password, secret },
    links: [lastPart(link.url)],
    invitations: [lastPart(invitation)],
  };
}

const lastPart = (url: string): string => /[^/=#?]+$/.exec(url)?.[0] ?? '';

/** Repositories, packages, versions, tags that moved, and files whose bytes are stored. */
async function fillSoftware(admin: Session, projectId: Id<'project'>, memberId: Id<'user'>) {
  const created = await admin.invoke('repositories_CreateRepository', { name: 'barn' });
  if (created.result !== 'Created') throw new Error('There is a repository barn already.');
  const repositoryId = created.repositoryId as Id<'repository'>;
  await admin.invoke('projects_AddProjectRepository', { projectId, repositoryId });
  await admin.invoke('repositories_AddRepositoryMember', { repositoryId, userId: memberId });
  await admin.invoke('repositories_InviteRepositoryMember', { repositoryId, email: 'other@example.org' });
  await admin.invoke('repositories_CreateRepositoryServiceAccount', { repositoryId, name: 'nightly' });
  await admin.invoke('repositories_SetSlug', { repositoryId, slug: 'barn-firmware' });
  await admin.invoke('repositories_AddPublisher', {
    repositoryId,
    name: 'releases',
    kind: 'Other',
    issuer,
    conditions: [{ claim: 'project', expected: '7' }],
  });
  await admin.invoke('repositories_SetQuota', { repositoryId, maxBytes: 1e9, maxAssets: 1_000 });
  const made = await admin.invoke('repositories_CreatePackage', { repositoryId, name: 'gate', metadata });
  if (made.result !== 'Created') throw new Error('There is a package gate already.');
  const packageId = made.packageId as Id<'package'>;
  const notes = await uploadAsset(admin, repositoryId, Buffer.from('Read me.\n'));
  await admin.invoke('repositories_AddPackageAsset', { packageId, filename: 'README.md', assetId: notes });
  let versionId: Id<'packageVersion'> | undefined;
  for (const name of ['1.0.0', '1.1.0']) {
    const version = await admin.invoke('repositories_CreatePackageVersion', { packageId, name, metadata });
    versionId = version.versionId as Id<'packageVersion'>;
    for (const [filename, size] of [
      ['image.img', 3_000_000],
      ['empty.txt', 0],
    ] as const) {
      const assetId = await uploadAsset(admin, repositoryId, randomBytes(size));
      await admin.invoke('repositories_AddPackageVersionAsset', { versionId, filename, assetId, metadata });
    }
    const tags = [{ tag: 'stable' }, { tag: `v${name}`, locked: true }];
    await admin.invoke('repositories_TagPackageVersion', { versionId, tags });
  }
  return { versionId: versionId as Id<'packageVersion'> };
}

async function uploadAsset(
  { invoke }: Session,
  repositoryId: Id<'repository'>,
  body: Buffer,
): Promise<Id<'asset'>> {
  const digest = `sha256_${createHash('sha256').update(body).digest('hex')}`;
  const { assetId } = await invoke('repositories_CreateAsset', { repositoryId, size: body.length, digest });
  const { url } = await invoke('repositories_IssueAssetUploadUrl', { assetId });
  const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(body) });
  if (!answer.ok) throw new Error(`An upload ended with ${answer.status}: ${await answer.text()}`);
  return assetId as Id<'asset'>;
}

/** Devices, operations, changes of many devices, certificate authorities and views. */
async function fillFleet(
  { invoke }: Session,
  projectId: Id<'project'>,
  versionId: Id<'packageVersion'>,
  startAgent: (deploymentToken: string) => void,
) {
  const { token } = await invoke('projects_CreateDeploymentToken', {
    projectId,
    name: 'automatic',
    flags: { autoAccept: true },
    maxUses: 50,
  });
  await invoke('projects_CreateCertificateAuthority', { projectId, name: 'Barn CA' });
  await invoke('projects_SetCertificatePolicy', { projectId, isDemanded: false, validForDays: 90 });
  startAgent(token);
  const devices = await addDevices(invoke, projectId);
  const [deviceId, , , deleted] = devices as [Id<'device'>, Id<'device'>, Id<'device'>, Id<'device'>];
  await invoke('devices_DeleteDevice', { deviceId: deleted });
  devices.pop();
  const connected = await connectedDevice(invoke, projectId);
  devices.push(connected);
  for (const on of [deviceId, connected]) {
    const operation = { deviceId: on, name: 'set ring', steps: [setRing] };
    await invoke('devices_StartOperation', await invoke('devices_CreateOperation', operation));
  }
  const definition = { projectId, selector: { deviceIds: devices, predicates: [] }, stages: [], window };
  const fleet = await invoke('fleet_CreateOperation', { ...definition, name: 'all rings', steps: [setRing] });
  await invoke('fleet_StartOperation', fleet);
  await invoke('fleet_PauseOperation', fleet);
  const install = { versionId, recipe: 'property' as const };
  await invoke('fleet_CreateOperation', { ...definition, name: 'install', steps: [], install });
  const change = { kind: 'SetLabel' as const, name: 'site', value: 'east' };
  const { previewHash } = await invoke('fleet_PreviewChange', { projectId, query: 'all', change });
  await invoke('fleet_ApplyChange', { projectId, query: 'all', change, previewHash });
  await invoke('devices_StartCertificateRotation', { deviceId, reason: 'yearly' });
  await invoke('projects_CreateDevicePairingKey', { projectId, name: 'porch' });
  await invoke('projects_SaveView', { projectId, name: 'North', filter: 'site:north', columns: ['floor'] });
  await invoke('projects_SetVersionFields', { projectId, fields: ['ring.level'] });
  await invoke('projects_SetPolicies', { projectId, approval: { aboveDevices: 900, commands: ['reboot'] } });
  const { jwt } = await invoke('devices_IssueDeviceToken', { deviceId, validForSecs: 86_400 });
  return { deviceId, deploymentToken: token, jwts: [jwt] };
}

/** Devices that never connect, with all that a device has. */
async function addDevices(invoke: Executor['invoke'], projectId: Id<'project'>): Promise<Id<'device'>[]> {
  const devices: Id<'device'>[] = [];
  for (const index of [1, 2, 3, 4]) {
    const secret = randomSymbols(ids.deviceFingerprint.rawLength, randomOf);
    const fingerprint = ids.deviceFingerprint.of(secret) as Id<'deviceFingerprint'>;
    const { deviceId } = await invoke('devices_CreateDevice', { projectId, fingerprint });
    devices.push(deviceId);
    await invoke('devices_SetDeviceName', { deviceId, name: `gate ${index}` });
    await invoke('devices_SetDeviceMetadata', { deviceId, metadata });
    await invoke('devices_SetDeviceLabel', { deviceId, name: 'floor', value: `${index}` });
    await invoke('devices_AddDeviceCertificate', {
      deviceId,
      fingerprint: randomBytes(32).toString('hex').toUpperCase().match(/../g)?.join(':') ?? '',
      status: index === 3 ? 'Pending' : 'Active',
    });
    await invoke('devices_SetDeviceProperty', { deviceId, name: 'ring', value: { level: index, metadata } });
    await invoke('devices_SetDeviceProperty', { deviceId, name: 'old', value: 1, protected: true });
    await invoke('devices_RemoveProperty', { deviceId, name: 'old' });
    const eventId = ids.deviceEvent.of(datedRaw(Date.now(), randomOf)) as Id<'deviceEvent'>;
    const event = { eventId, severity: 'Warning' as const, body: metadata, attributes: { index } };
    await invoke('devices_PublishDeviceEvents', {
      deviceId,
      events: [{ ...event, emittedAt: new Date().toISOString() }],
    });
  }
  return devices;
}

/** Waits for a device of a project that is connected with a certificate of the project's authority, which it gets when it first connects. */
export async function connectedDevice(
  invoke: Executor['invoke'],
  projectId: Id<'project'>,
): Promise<Id<'device'>> {
  for (let tries = 0; tries < 300; tries += 1) {
    // A connection from before a restart of the hub breaks when it is used next.
    const answer = invoke('projects_QueryProjectDevices', { projectId }).catch(() => ({ devices: [] }));
    const { devices } = await answer;
    for (const { deviceId } of devices.filter((each) => each.isConnected)) {
      const { certificates, connections } = await invoke('devices_GetDeviceDetails', { deviceId });
      const issued = certificates.find(({ authorityId }) => authorityId !== undefined);
      const [connection, ...others] = connections;
      // It connects once more with the certificate that it got.
      if (issued && connection && others.length === 0 && connection.connectedAt > issued.firstSeen)
        return deviceId;
    }
    await delay(200);
  }
  throw new Error('No device has connected within a minute.');
}

const setRing = { kind: 'SetDeviceProperty' as const, name: 'ring', value: { level: 9 } };

/** What tells people and other programs: webhooks, alert rules, mutes, the export over OTLP, terminals' policy. */
async function fillWatch({ invoke }: Session, projectId: Id<'project'>, deviceId: Id<'device'>) {
  const { webhookId } = await invoke('projects_CreateWebhook', {
    projectId,
    name: 'tickets',
    url: nobody,
    types: ['devices_*'],
  });
  await invoke('devices_SetDeviceName', { deviceId, name: 'gate one' });
  await invoke('projects_ChangeWebhook', { webhookId, isDisabled: true });
  const rule = {
    severity: 'Warning' as const,
    channels: { mails: 'None' as const, webhookIds: [webhookId] },
  };
  const condition = { kind: 'Matching' as const, filter: 'ring.level>=2', forSecs: 0 };
  const { ruleId } = await invoke('alerts_CreateRule', { projectId, name: 'High', condition, ...rule });
  await invoke('alerts_SetRuleMails', { ruleId, isOn: false });
  await invoke('alerts_CreateRule', {
    name: 'Hub',
    condition: { kind: 'Hub', percent: 99 },
    severity: 'Critical',
    channels: { mails: 'None' },
  });
  await invoke('alerts_Mute', { projectId, deviceId, window, reason: 'nights' });
  await invoke('projects_SetOtlpConfig', {
    projectId,
    config: { enabled: false, endpoint: nobody, headers: { authorization: 'secret' }, streams: ['audit'] },
  });
  await invoke('projects_SetTerminalPolicy', {
    projectId,
    access: 'Members',
    isReasonNeeded: true,
    approval: 'None',
    recording: 'Required',
    allowsTokens: false,
  });
  await invoke('projects_CreateProjectServiceAccount', { projectId, name: 'robot' });
}

/** Settings of the instance, one of them sealed by the key of the hub. */
async function fillSettings({ invoke }: Session): Promise<void> {
  const settings = {
    banner: 'Maintenance on Sunday',
    eventRetentionMonths: 24,
    oidcClientSecret: 'sealed',
    ciIssuers: issuer,
  };
  for (const [key, value] of Object.entries(settings))
    await invoke('instance_SetInstanceSettingRaw', { key, value });
}
