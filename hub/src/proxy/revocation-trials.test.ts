import { ids, type ActionName, type CallInput } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { domainEvent, system } from '../../test/http-hub.ts';
import {
  beginWork,
  newPerson,
  type Person,
  type Use,
  type Work,
  type Workplace,
} from '../../test/person-at-work.ts';
import { proxiedDevice } from '../../test/proxied-device.ts';

/** Also on a node that the event does not reach. */
const boundMs = 5_000;
/** Each uses three of the 64 channels of the device's connection. */
const peopleAtOnce = 12;
const tickEveryMs = 100;
const uses: readonly Use[] = ['link', 'forward', 'page by session', 'page by token', 'live view'];

let place: Workplace;
let ticks: NodeJS.Timeout;
beforeAll(async () => {
  const device = await proxiedDevice();
  place = {
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
  await place.device[Symbol.asyncDispose]();
});

/** Something that a person's work stands on. */
interface Right {
  readonly name: string;
  /** What ends with it. */
  readonly ends: readonly Use[];
  /** Whether the person is an administrator, and no member. */
  readonly isOfAdministrator?: boolean;
  revoke(work: Work): Promise<unknown>;
  /** Changes the database only, as another node does whose events do not arrive. */
  revokeSilently(work: Work): Promise<unknown>;
}

function bySystem<Name extends ActionName>(name: Name, input: CallInput<Name>) {
  return place.device.transports.hub.executor.invoke(system, name, input);
}

const run = (statement: ReturnType<typeof sql>) => statement.execute(place.device.transports.hub.database.db);
const userIdOf = ({ actor }: Person) => actor.userId;
const rawIdOf = ({ actor }: Person) => ids.user.raw(actor.userId);
const membershipOf = (person: Person) => ({ projectId: place.device.projectId, userId: userIdOf(person) });

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
    ends: uses,
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

/** Revokes a right of a person at work, and returns how long each use that stood on it went on; the others must go on. */
async function tryOnce(person: Person, right: Right, isSilent: boolean): Promise<number[]> {
  await grant(person, right.isOfAdministrator === true);
  using work = await beginWork(place, person, right.isOfAdministrator === true);
  const others = uses.filter((use) => !right.ends.includes(use));
  const ended: Use[] = [];
  for (const use of others) void work.ends[use].then(() => ended.push(use));
  await (isSilent ? right.revokeSilently(work) : right.revoke(work));
  const fromMs = performance.now();
  const ends = await Promise.all(right.ends.map((use) => work.ends[use]));
  expect(ended).toEqual([]);
  return ends.map((end) => end - fromMs);
}

test('every right that ends is effective everywhere within five seconds, also without its event', async () => {
  const count = inject('figures').revocations;
  const trials = Array.from({ length: count }, (_, at) => ({
    right: rights[at % rights.length] as Right,
    isSilent: Math.floor(at / rights.length) % 2 === 1,
  }));
  const tookMs = new Map<string, number[]>();
  const workThrough = async (_: unknown, at: number): Promise<void> => {
    const person = await newPerson(place, `person-${at}@example.org`);
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
      console.info(`${kind}: ${took.length} uses, p99 ${p99.toFixed()} ms, slowest ${worst.toFixed()} ms`);
    expect(worst, kind).toBeLessThan(boundMs);
  }
});
