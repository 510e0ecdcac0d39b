import { ids, type ActionName, type CallInput } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { domainEvent, system } from '../../../test/http-hub.ts';
import {
  openAccess,
  newPerson,
  type Person,
  type AccessKind,
  type OpenAccess,
  type AccessScene,
} from '../../../test/open-access.ts';
import { proxiedDevice } from '../../../test/proxied-device.ts';

/** Each uses three of the 64 channels of the device's connection. */
const peopleAtOnce = 12;
const tickEveryMs = 100;
const accessKinds: readonly AccessKind[] = [
  'link',
  'forward',
  'page by session',
  'page by token',
  'live view',
];

let scene: AccessScene;
let ticks: NodeJS.Timeout;
beforeAll(async () => {
  const device = await proxiedDevice();
  scene = {
    device,
    pagePort: await device.serve((_request, response) => void response.writeHead(200).write('live')),
    echoPort: await device.serveRaw((socket) => void socket.on('error', () => undefined).pipe(socket)),
  };
  // One administrator must stay.
  await device.transports.hub.user('root@example.org', { isAdmin: true });
  const { projectId } = device;
  ticks = setInterval(() => {
    const tick = domainEvent('devices_PropertiesChanged', { projectId, deviceId: 'd_tick' });
    void device.transports.hub.bus.publish([tick, domainEvent('cluster_NodesChanged', {})]);
  }, tickEveryMs);
});
afterAll(async () => {
  clearInterval(ticks);
  await scene.device[Symbol.asyncDispose]();
});

/** A right that a person's open access depends on. */
interface Right {
  readonly name: string;
  /** The kinds of access that end with it. */
  readonly ends: readonly AccessKind[];
  /** Whether the person is an administrator, and no member. */
  readonly isOfAdministrator?: boolean;
  revoke(access: OpenAccess): Promise<unknown>;
  /** Changes the database only, as another node does whose events do not arrive. */
  revokeSilently(access: OpenAccess): Promise<unknown>;
}

function bySystem<Name extends ActionName>(name: Name, input: CallInput<Name>) {
  return scene.device.transports.hub.executor.invoke(system, name, input);
}

const run = (statement: ReturnType<typeof sql>) => statement.execute(scene.device.transports.hub.database.db);
const userIdOf = ({ actor }: Person) => actor.userId;
const rawIdOf = ({ actor }: Person) => ids.user.raw(actor.userId);
const membershipOf = (person: Person) => ({ projectId: scene.device.projectId, userId: userIdOf(person) });

const rights: readonly Right[] = [
  {
    name: 'membership',
    ends: ['forward', 'page by session', 'page by token', 'live view'],
    revoke: ({ person }) => bySystem('projects_RemoveProjectMember', membershipOf(person)),
    revokeSilently: ({ person }) => run(sql`delete from project_members where user_id = ${rawIdOf(person)}`),
  },
  {
    name: 'right of an administrator',
    ends: ['forward', 'page by session', 'page by token', 'live view'],
    isOfAdministrator: true,
    revoke: ({ person }) => bySystem('users_SetUserIsAdmin', { userId: userIdOf(person), isAdmin: false }),
    revokeSilently: ({ person }) =>
      run(sql`update users set is_admin = false where user_id = ${rawIdOf(person)}`),
  },
  {
    name: 'token',
    ends: ['link', 'forward', 'page by token'],
    revoke: ({ tokenId }) => bySystem('users_DeleteUserToken', { tokenId }),
    revokeSilently: ({ tokenId }) =>
      run(sql`delete from user_tokens where token_id = ${ids.userTokenId.raw(tokenId)}`),
  },
  {
    name: 'session',
    ends: ['page by session', 'live view'],
    revoke: ({ sessionId }) => bySystem('users_TerminateUserSession', { sessionId }),
    revokeSilently: ({ sessionId }) =>
      run(sql`delete from user_sessions where session_id = ${ids.session.raw(sessionId)}`),
  },
  {
    name: 'account',
    ends: accessKinds,
    revoke: ({ person }) =>
      bySystem('users_SetUserIsDisabled', { userId: userIdOf(person), isDisabled: true }),
    revokeSilently: ({ person }) =>
      run(sql`update users set disabled_at = now() where user_id = ${rawIdOf(person)}`),
  },
];

/** Gives a person exactly the rights that a trial begins with. */
async function grant(person: Person, isAdmin: boolean): Promise<void> {
  const userId = userIdOf(person);
  await bySystem('users_SetUserIsDisabled', { userId, isDisabled: false });
  await bySystem('users_SetUserIsAdmin', { userId, isAdmin });
  await run(sql`delete from project_members where user_id = ${rawIdOf(person)}`);
  if (!isAdmin) await bySystem('projects_AddProjectMember', membershipOf(person));
}

/** Revokes a right of a person, and returns how long each access that depended on it stayed open; the others must stay open. */
async function tryOnce(person: Person, right: Right, isSilent: boolean): Promise<number[]> {
  await grant(person, right.isOfAdministrator === true);
  using access = await openAccess(scene, person, right.isOfAdministrator === true);
  const others = accessKinds.filter((kind) => !right.ends.includes(kind));
  const ended: AccessKind[] = [];
  for (const kind of others) void access.ends[kind].then(() => ended.push(kind));
  await (isSilent ? right.revokeSilently(access) : right.revoke(access));
  const fromMs = performance.now();
  const ends = await Promise.all(right.ends.map((kind) => access.ends[kind]));
  expect(ended).toEqual([]);
  return ends.map((end) => end - fromMs);
}

test('every right that ends is effective everywhere within seconds, also on a node that its event does not reach', async () => {
  const { revocations: count, revocationBoundMs: boundMs } = inject('figures');
  const trials = Array.from({ length: count }, (_, at) => ({
    right: rights[at % rights.length] as Right,
    isSilent: Math.floor(at / rights.length) % 2 === 1,
  }));
  const tookMs = new Map<string, number[]>();
  const workThrough = async (_: unknown, at: number): Promise<void> => {
    const person = await newPerson(scene, `person-${at}@example.org`);
    for (let trial = trials.shift(); trial !== undefined; trial = trials.shift()) {
      const took = await tryOnce(person, trial.right, trial.isSilent);
      const kind = `${trial.right.name}${trial.isSilent ? ', without an event' : ''}`;
      tookMs.set(kind, [...(tookMs.get(kind) ?? []), ...took]);
    }
  };
  const many = Math.min(peopleAtOnce, trials.length);
  await Promise.all(Array.from({ length: many }, workThrough));
  for (const [kind, took] of tookMs) {
    took.sort((one, other) => one - other);
    const [p99 = 0, worst = 0] = [took[Math.ceil(took.length * 0.99) - 1], took.at(-1)];
    if (count >= 1_000)
      console.info(
        `${kind}: ${took.length} accesses, p99 ${p99.toFixed()} ms, slowest ${worst.toFixed()} ms`,
      );
    expect(worst, kind).toBeLessThan(boundMs);
  }
});
