import { once } from 'node:events';
import { ids, type Actor, type Id } from '@corral/contract';
import type { Channel } from '@corral/multiplex';
import { expect } from 'vitest';
import { beginSession } from '../src/domains/users/sql/sessions.ts';
import { commandLineHeaders } from './gateway-scene.ts';
import { readLiveView, type LiveReader } from './live-reader.ts';
import type { ProxiedDevice } from './proxied-device.ts';

/** The kinds of access that are kept open: by a session in a browser, and by a token on a command line. */
export type AccessKind = 'link' | 'forward' | 'page by session' | 'page by token' | 'live view';

/** A user who can sign in many times without the cost of a password. */
export interface Person {
  readonly actor: Extract<Actor, { actor: 'User' }>;
  readonly storedHash: string;
}

/** A person with a session and a token, and one open access of each kind. */
export interface OpenAccess extends Disposable {
  readonly person: Person;
  readonly sessionId: Id<'session'>;
  readonly tokenId: Id<'userTokenId'>;
  /** When each access ended, by `performance.now()`; pending while it is open. */
  readonly ends: Readonly<Record<AccessKind, Promise<number>>>;
}

/** A device with a page whose answer never ends, and a port that echoes. */
export interface AccessScene {
  readonly device: ProxiedDevice;
  readonly pagePort: number;
  readonly echoPort: number;
}

/** Creates a user. */
export async function newPerson({ device }: AccessScene, email: string): Promise<Person> {
  const { hub } = device.transports;
  const actor = await hub.user(email, { password: 'quiet harbour lantern 7' });
  const { password_hash: storedHash } = await hub.database.db
    .selectFrom('users')
    .select('password_hash')
    .where('user_id', '=', ids.user.raw(actor.userId))
    .executeTakeFirstOrThrow();
  return { actor, storedHash: storedHash ?? '' };
}

/** Opens one access of each kind. A live view of the project must get two changes of each tick: one of the project, then `cluster`. */
export async function openAccess(
  scene: AccessScene,
  person: Person,
  isAdministrator: boolean,
): Promise<OpenAccess> {
  const { hub } = scene.device.transports;
  const { cookie, sessionId } = await signIn(scene, person);
  const input = { userId: person.actor.userId, administrator: isAdministrator };
  const made = await hub.invoke('users_CreateUserToken', input, { cookie });
  const { token, tokenId } = made.json as { token: string; tokenId: Id<'userTokenId'> };
  const link = await scene.device.transports.connect(commandLineHeaders(token));
  const forward = await openForward(scene, link.connection);
  const [bySession, byToken, reader] = await Promise.all([
    openPage(scene, { cookie, 'sec-fetch-site': 'same-origin' }),
    openPage(scene, { authorization: `Bearer ${token}` }),
    readLiveView(hub, { cookie }),
  ]);
  const stopped = new AbortController();
  return {
    person,
    sessionId,
    tokenId,
    ends: {
      link: link.connection.closed.then(() => performance.now()),
      forward: forward.cut,
      'page by session': bySession.cut,
      'page by token': byToken.cut,
      'live view': lossOf(reader, stopped.signal),
    },
    [Symbol.dispose]() {
      stopped.abort();
      link.connection.close('');
      reader[Symbol.dispose]();
      bySession.close();
      byToken.close();
    },
  };
}

/** Starts a session as a sign-in does after it has checked the password. */
async function signIn({ device }: AccessScene, { actor, storedHash }: Person) {
  const session = await beginSession(device.transports.hub.database.db, {
    userId: ids.user.raw(actor.userId),
    methods: ['password'],
    storedHash,
    userAgent: 'test',
    address: undefined,
    validForSecs: 3_600,
    now: new Date(),
  });
  if (session?.result !== 'Finished') throw new Error('no session started');
  return { cookie: `__Host-session=${session.sessionToken}`, sessionId: session.sessionId };
}

interface Opener {
  openChannel(endpoint: string): Promise<Channel>;
}

async function openForward({ device, echoPort }: AccessScene, connection: Opener) {
  const channel = await connection.openChannel(`device/${device.deviceId}/proxy/forward/tcp/${echoPort}`);
  await channel.write(Buffer.from('there?'));
  expect(String(await channel.read())).toBe('there?');
  return { cut: channel.closed.then(() => performance.now()) };
}

async function openPage({ device, pagePort }: AccessScene, headers: Record<string, string>) {
  const answer = await device.transports.hub.call(
    '/api/v1/actions/invoke/devices_IssueDeviceHttpProxyToken',
    {
      method: 'POST',
      headers,
      body: { deviceId: device.deviceId, port: pagePort },
    },
  );
  const page = await device.enterBy(new URL(String(answer.json['url'])));
  const live = await page.open('/live');
  await once(live, 'data');
  const cut = new Promise<number>((resolve) => {
    live.on('error', () => undefined).once('close', () => resolve(performance.now()));
    live.resume();
  });
  return { cut, close: () => void live.destroy() };
}

/** When the view ended, or got the second change of a tick without the first. */
async function lossOf(reader: LiveReader, stopped: AbortSignal): Promise<number> {
  const numbers = (topic: string) =>
    reader.received.filter(({ data }) => data['topic'] === topic).map(({ id }) => Number(id.split('-')[1]));
  const hasLost = (): boolean => {
    const own = new Set(numbers('properties'));
    return numbers('cluster').some((number) => !own.has(number - 1));
  };
  const ended = reader.ended.then(() => true);
  while (!stopped.aborted && !hasLost())
    if (await Promise.race([ended, once(reader.response, 'data').then(() => false)])) break;
  return performance.now();
}
