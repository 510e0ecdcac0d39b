import type { ActionName } from '@corral/contract';
import { expect, vi } from 'vitest';
import { bothTransports, type BothTransports } from './both-transports.ts';
import { deviceHeaders, newDevice, type OpenLink, type TestDevice } from './device-client.ts';
import { system } from './http-hub.ts';
import { digestReader } from './table-changes.ts';

/** The password of all users of this hub. */
export const password = 'quiet harbour lantern 7';

/** A hub with expired, deleted, revoked and rejected credentials, and with a connected device. */
export interface RefusalScene extends AsyncDisposable {
  readonly transports: BothTransports;
  /** The Cookie header of an owner of the project. */
  readonly owner: string;
  /** The Cookie header of a member who is not an owner. */
  readonly cookie: string;
  readonly expiredCookie: string;
  readonly deletedUserToken: string;
  readonly token: string;
  readonly deletedToken: string;
  readonly device: TestDevice;
  /** The connection of that device. */
  readonly link: OpenLink;
  readonly revokedDevice: TestDevice;
  readonly rejectedDevice: TestDevice;
  /** The id of the `project`, a `foreign` project, the `device`, the `member`, a `stranger`, the `Revoked` and the `Rejected` certificate. */
  id(name: string): string;
  /** A digest of all rows except the audited actions. */
  state(): Promise<string>;
  /** The audited actions that the work adds, as names with statuses. */
  recordedBy(work: () => Promise<void>): Promise<string[]>;
}

/** Runs an action with a session; throws when it fails. */
type Make = (name: ActionName, input: object, cookie?: string) => Promise<Record<string, unknown>>;

/** Starts the hub and creates these credentials. */
export async function refusalScene(): Promise<RefusalScene> {
  const transports = await bothTransports();
  const people = await somePeople(transports);
  const make: Make = async (name, input, cookie = people.owner) => {
    const answer = await transports.hub.invoke(name, input, { cookie });
    if (answer.status !== 200) throw new Error(`${name}: ${answer.text}`);
    return answer.json as Record<string, unknown>;
  };
  const projectId = (await make('projects_CreateProject', { name: 'Plant' }))['projectId'];
  const foreign = (await make('projects_CreateProject', { name: 'Elsewhere' }, people.stranger))['projectId'];
  const membership = { projectId, userId: people.ids.member } as never;
  await transports.hub.executor.invoke(system, 'projects_AddProjectMember', membership);
  const tokens = await someTokens(make, projectId, people);
  const devices = await someDevices(transports, make, tokens.token);
  await vi.waitFor(async () => expect(await liveConnections(transports)).toBe(1));
  const things: Record<string, string> = {
    ...people.ids,
    ...devices.ids,
    project: String(projectId),
    foreign: String(foreign),
  };
  return {
    transports,
    owner: people.owner,
    cookie: people.member,
    expiredCookie: people.expiredCookie,
    ...tokens,
    ...devices,
    id: (name) => things[name] ?? '',
    state: await stateOf(transports),
    recordedBy: (work) => recordedBy(transports, work),
    [Symbol.asyncDispose]: () => transports[Symbol.asyncDispose](),
  };
}

async function somePeople({ hub }: BothTransports) {
  await hub.user('owner@example.org', { password });
  const member = await hub.user('member@example.org', { password });
  const stranger = await hub.user('stranger@example.org', { password });
  const expiredCookie = await hub.signIn('stranger@example.org', password);
  await hub.database.db
    .updateTable('user_sessions')
    .set({ expires_at: new Date(0) })
    .execute();
  return {
    expiredCookie,
    owner: await hub.signIn('owner@example.org', password),
    member: await hub.signIn('member@example.org', password),
    stranger: await hub.signIn('stranger@example.org', password),
    ids: { member: member.userId, stranger: stranger.userId },
  };
}

async function someTokens(
  make: Make,
  projectId: unknown,
  people: { member: string; ids: { member: string } },
) {
  const input = { projectId, name: 't', flags: { autoAccept: true } };
  const { token } = await make('projects_CreateDeploymentToken', input);
  const gone = await make('projects_CreateDeploymentToken', input);
  await make('projects_DeleteDeploymentToken', { tokenId: gone['tokenId'] });
  const mine = await make('users_CreateUserToken', { userId: people.ids.member }, people.member);
  await make('users_DeleteUserToken', { tokenId: mine['tokenId'] }, people.member);
  return {
    token: String(token),
    deletedToken: String(gone['token']),
    deletedUserToken: String(mine['token']),
  };
}

async function someDevices(transports: BothTransports, make: Make, token: string) {
  const device = await newDevice();
  const link = await transports.connect(deviceHeaders(device, token));
  const revoked = await deviceWith(transports, make, token, 'Revoked');
  const rejected = await deviceWith(transports, make, token, 'Rejected');
  const ids = {
    device: await deviceIdOf(link),
    Revoked: revoked.certificateId,
    Rejected: rejected.certificateId,
  };
  return { device, link, revokedDevice: revoked.device, rejectedDevice: rejected.device, ids };
}

/** Connects a new device once, then returns it with a second certificate in the given status. */
async function deviceWith(
  transports: BothTransports,
  make: Make,
  token: string,
  status: 'Rejected' | 'Revoked',
) {
  const known = await newDevice();
  const link = await transports.connect(deviceHeaders(known, token));
  const deviceId = await deviceIdOf(link);
  link.connection.close('');
  const { certificate } = await newDevice();
  const first = status === 'Revoked' ? 'Active' : 'Pending';
  const input = { deviceId, fingerprint: certificate.fingerprint, status: first };
  const certificateId = String((await make('devices_AddDeviceCertificate', input))['certificateId']);
  await make('devices_SetDeviceCertificateStatus', { certificateId, status });
  return { certificateId, device: { ...known, certificate } };
}

/** Asks the hub, over the device's connection, for the device's id. */
export async function deviceIdOf(link: OpenLink): Promise<string> {
  const rpc = await link.rpc();
  const { actor } = (await rpc.invoke('actor_GetActor', {})) as { actor: { deviceId: string } };
  rpc.close();
  return actor.deviceId;
}

async function liveConnections({ hub }: BothTransports): Promise<number> {
  const connections = hub.database.db.selectFrom('device_connections').select('connection_id');
  return (await connections.where('ended_at', 'is', null).execute()).length;
}

async function stateOf({ hub: { database } }: BothTransports): Promise<() => Promise<string>> {
  const digest = await digestReader(database.db);
  return async () => {
    const events = await database.db.selectFrom('audit_events').select('event_id').execute();
    return `${await digest(database.db)} ${events.length}`;
  };
}

async function recordedBy({ hub }: BothTransports, work: () => Promise<void>): Promise<string[]> {
  const { db } = hub.database;
  const rows = () => db.selectFrom('audit_actions').select(['action_id', 'action', 'status']).execute();
  const known = new Set((await rows()).map(({ action_id }) => action_id));
  await work();
  const added = (await rows()).filter(({ action_id }) => !known.has(action_id));
  return added.map(({ action, status }) => `${action} ${status}`);
}

/** Expects one sentence for people without internals of the hub. */
export function mustBeMessage(message: unknown): void {
  expect(message).toMatch(/^[A-Z][^\n]*[^.\s][.?]$/);
  expect(message).not.toMatch(/node_modules|\.ts\b|\bat \S+ \(|Error:|select |insert |undefined/);
}
