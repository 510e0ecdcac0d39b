import { ids, type Id } from '@corral/contract';
import { startHttpAbuser, type HttpAbuseName, type HttpCredentials } from '@corral/fuzz';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { bothTransports, type BothTransports } from '../../test/both-transports.ts';
import { deviceHeaders, newDevice } from '../../test/device-client.ts';
import { rawUpgrade, RawWebSocket } from '../../test/raw-web-socket.ts';
import { newFingerprint } from '../../test/seed.ts';

const password = 'quiet harbour lantern 7';
const good = 'ada@example.org';
const email = 'mallory@example.org';
const abusers = 8;
const limits = { timeout: 180_000 };
const waiting = { timeout: 150_000, interval: 200 };

let transports: BothTransports;
/** An account and a deployment token that are used against the hub. */
let who: HttpCredentials;
let token: string;
/** A deployment token of somebody else. */
let goodToken: string;
beforeAll(async () => {
  transports = await bothTransports();
  const { hub } = transports;
  await hub.user(good, { password });
  const { userId } = await hub.user(email, { password });
  const cookie = await hub.signIn(email, password);
  goodToken = await newToken(await hub.signIn(good, password));
  token = await newToken(cookie);
  const headers = deviceHeaders(await newDevice(), token);
  const deviceFingerprints = Array.from({ length: 10 }, newFingerprint);
  who = {
    token: '',
    cookie,
    userId,
    email,
    password,
    deviceId: '',
    deviceHeaders: headers,
    deviceFingerprints,
  };
});
afterAll(() => transports[Symbol.asyncDispose]());

async function newToken(cookie: string): Promise<string> {
  const make = async (name: string, input: object) =>
    (await transports.hub.invoke(name, input, { cookie })).json;
  const { projectId } = await make('projects_CreateProject', { name: 'Plant' });
  const input = { projectId, name: 'token', flags: { autoAccept: true } };
  return String((await make('projects_CreateDeploymentToken', input))['token']);
}

/** Starts the abusers, which stop with the test. */
function abuse(name: HttpAbuseName): void {
  const all = Array.from({ length: abusers }, () => startHttpAbuser(transports.hub.url, who, [name]));
  onTestFinished(async () => void (await Promise.all(all.map((abuser) => abuser.stop()))));
}

test(
  'new devices with a good deployment token are soon too many, and devices of others connect',
  limits,
  async () => {
    abuse('newDevices');
    const refusal = async () => transports.refused(deviceHeaders(await newDevice(), token));
    await vi.waitFor(async () => expect((await refusal()).text).toContain('Too many'), waiting);
    const link = await transports.connect(deviceHeaders(await newDevice(), goodToken));
    link.connection.close('');
  },
);

test(
  'devices that come again and again are soon told to wait, and devices of others connect',
  limits,
  async () => {
    abuse('returningDevices');
    const again = { ...who.deviceHeaders, 'x-device-fingerprint': who.deviceFingerprints[0] ?? '' };
    const outcome = async () => {
      const answer = await rawUpgrade(transports.hub.url, again);
      if (!(answer instanceof RawWebSocket)) return answer.body;
      answer.socket.destroy();
      return 'connected';
    };
    await vi.waitFor(
      async () => expect(await outcome()).toContain('This device connects too often'),
      waiting,
    );
    const link = await transports.connect(deviceHeaders(await newDevice(), goodToken));
    link.connection.close('');
  },
);

test('sign-ins with the right password start few sessions, and others sign in', limits, async () => {
  abuse('rightSignIns');
  const signIn = (as: string) => transports.hub.post('/api/private/login', { email: as, password });
  await vi.waitFor(
    async () => expect((await signIn(email)).text).toContain('signed in to too often'),
    waiting,
  );
  expect((await signIn(good)).status).toBe(200);
  const sessions = await transports.hub.database.db
    .selectFrom('user_sessions')
    .select('session_id')
    .where('user_id', '=', ids.user.raw(who.userId as Id<'user'>))
    .execute();
  expect(sessions).toHaveLength(60);
});
