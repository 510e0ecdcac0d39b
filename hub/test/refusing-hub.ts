import type { ActionName } from '@corral/contract';
import { expect, vi } from 'vitest';
import { bothDoors, type BothDoors } from './both-doors.ts';
import { deviceHeaders, newDevice, type OpenLink, type TestDevice } from './device-client.ts';
import { digestReader } from './table-digest.ts';

/** The password of all people of this hub. */
export const password = 'quiet harbour lantern 7';

/** A hub with everything in it that has expired, was deleted, revoked or rejected, and with a device that is connected. */
export interface RefusingHub extends AsyncDisposable {
  readonly doors: BothDoors;
  /** The Cookie header of an owner of the project. */
  readonly owner: string;
  /** The Cookie header of a member of it who is no owner. */
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
  /** A short text for all that is kept besides the log of commands. */
  state(): Promise<string>;
  /** The entries that some work adds to the log of commands, as names with statuses. */
  recordedBy(work: () => Promise<void>): Promise<string[]>;
}

/** Runs an action with a session, which must succeed. */
type Make = (name: ActionName, input: object, cookie?: string) => Promise<Record<string, unknown>>;

/** Starts the hub and lets everything happen to it. */
export async function refusingHub(): Promise<RefusingHub> {
  const doors = await bothDoors();
  const people = await somePeople(doors);
  const make: Make = async (name, input, cookie = people.owner) => {
    const answer = await doors.hub.invoke(name, input, { cookie });
    if (answer.status !== 200) throw new Error(`${name}: ${answer.text}`);
    return answer.json as Record<string, unknown>;
  };
  const projectId = (await make('projects_CreateProject', { name: 'Plant' }))['projectId'];
  const foreign = (await make('projects_CreateProject', { name: 'Elsewhere' }, people.stranger))['projectId'];
  await make('projects_AddProjectMember', { projectId, userId: people.ids.member });
  const tokens = await someTokens(make, projectId, people);
  const devices = await someDevices(doors, make, tokens.token);
  await vi.waitFor(async () => expect(await liveConnections(doors)).toBe(1), { timeout: 10_000 });
  const things: Record<string, string> = {
    ...people.ids,
    ...devices.ids,
    project: String(projectId),
    foreign: String(foreign),
  };
  return {
    doors,
    owner: people.owner,
    cookie: people.member,
    expiredCookie: people.expiredCookie,
    ...tokens,
    ...devices,
    id: (name) => things[name] ?? '',
    state: await stateOf(doors),
    recordedBy: (work) => recordedBy(doors, work),
    [Symbol.asyncDispose]: () => doors[Symbol.asyncDispose](),
  };
}

async function somePeople({ hub }: BothDoors) {
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

async function someDevices(doors: BothDoors, make: Make, token: string) {
  const device = await newDevice();
  const link = await doors.connect(deviceHeaders(device, token));
  const revoked = await deviceWith(doors, make, token, 'Revoked');
  const rejected = await deviceWith(doors, make, token, 'Rejected');
  const ids = {
    device: await deviceIdOf(link),
    Revoked: revoked.certificateId,
    Rejected: rejected.certificateId,
  };
  return { device, link, revokedDevice: revoked.device, rejectedDevice: rejected.device, ids };
}

/** Connects a new device once, puts another certificate of it into a status, and answers it with that certificate. */
async function deviceWith(doors: BothDoors, make: Make, token: string, status: 'Rejected' | 'Revoked') {
  const known = await newDevice();
  const link = await doors.connect(deviceHeaders(known, token));
  const deviceId = await deviceIdOf(link);
  link.connection.close('');
  const { certificate } = await newDevice();
  const first = status === 'Revoked' ? 'Active' : 'Pending';
  const input = { deviceId, fingerprint: certificate.fingerprint, status: first };
  const certificateId = String((await make('devices_AddDeviceCertificate', input))['certificateId']);
  await make('devices_SetDeviceCertificateStatus', { certificateId, status });
  return { certificateId, device: { ...known, certificate } };
}

/** Asks a connected device's channel which device it speaks for. */
export async function deviceIdOf(link: OpenLink): Promise<string> {
  const rpc = await link.rpc();
  const { actor } = (await rpc.invoke('actor_GetActor', {})) as { actor: { deviceId: string } };
  rpc.close();
  return actor.deviceId;
}

async function liveConnections({ hub }: BothDoors): Promise<number> {
  const connections = hub.database.db.selectFrom('device_connections').select('connection_id');
  return (await connections.where('ended_at', 'is', null).execute()).length;
}

async function stateOf({ hub: { database } }: BothDoors): Promise<() => Promise<string>> {
  const digest = await digestReader(database.db);
  return async () => {
    const events = await database.db.selectFrom('audit_events').select('event_id').execute();
    return `${await digest(database.db)} ${events.length}`;
  };
}

async function recordedBy({ hub }: BothDoors, work: () => Promise<void>): Promise<string[]> {
  const { db } = hub.database;
  const rows = () => db.selectFrom('audit_actions').select(['action_id', 'action', 'status']).execute();
  const known = new Set((await rows()).map(({ action_id }) => action_id));
  await work();
  const added = (await rows()).filter(({ action_id }) => !known.has(action_id));
  return added.map(({ action, status }) => `${action} ${status}`);
}

/** One sentence for people, and nothing of how the hub is made. */
export function mustBeSentence(message: unknown): void {
  expect(message).toMatch(/^[A-Z][^\n]*[^.\s][.?]$/);
  expect(message).not.toMatch(/node_modules|\.ts\b|\bat \S+ \(|Error:|select |insert |undefined/);
}
