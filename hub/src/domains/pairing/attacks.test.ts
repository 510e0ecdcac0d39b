import { type Actor, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { type Answer, type HttpHub, httpHub } from '../../../test/http-hub.ts';
import { newCertificate, newFingerprint } from '../../../test/seed.ts';
import { systemCaller } from '../../calls/handler.ts';
import { amounts } from '../../limits/amounts.ts';
import { AuthenticateDevice } from '../devices/internal/AuthenticateDevice.ts';

const path = '/api/v1/actions/invoke/projects_RedeemDevicePairingKey';

let database: FreshDatabase;
/** Two behind a proxy of this machine, and one that clients reach themselves. */
let hubs: readonly [HttpHub, HttpHub];
let direct: HttpHub;
let owner: Actor;
let projectId: Id<'project'>;
/** Each test comes from its own addresses. */
let tests = 0;
beforeAll(async () => {
  database = await freshDatabase();
  const env = { CORRAL_TRUSTED_PROXIES: '127.0.0.1', CORRAL_TRUSTED_PROXY_HEADER: 'on' };
  hubs = [await httpHub({ database, env }), await httpHub({ database, env })];
  direct = await httpHub({ database });
  owner = await direct.user('owner@example.org');
});
afterAll(async () => {
  for (const hub of [...hubs, direct]) await hub[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  tests += 1;
  ({ projectId } = await direct.executor.invoke({ actor: owner, origin: {} }, 'projects_CreateProject', {
    name: `Plant ${tests}`,
  }));
});

const as = { origin: {} };
const newKey = async (more = {}): Promise<string> =>
  (
    await direct.executor.invoke({ actor: owner, ...as }, 'projects_CreateDevicePairingKey', {
      projectId,
      ...more,
    })
  ).pairingKey;
const wrong = (key: string, count: number): string =>
  `${key.slice(0, 7)}${key.endsWith('0000') ? '1' : '0'}${String(count).padStart(3, '0')}`;
const redeem = (
  hub: HttpHub,
  pairingKey: string,
  headers: Readonly<Record<string, string>> = {},
  fingerprint: Id<'deviceFingerprint'> = newFingerprint(),
): Promise<Answer> => {
  const body = { pairingKey, fingerprint };
  return hub.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
};
const from = (address: string) => ({ 'x-forwarded-for': address });
const statusesOf = (answers: readonly Answer[]): Record<number, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );

test('an address that says that it is another one fails 30 times a minute, too', async () => {
  const lies = (count: number) => ({
    'x-forwarded-for': `198.51.100.${count}`,
    'x-real-ip': `198.51.100.${count}`,
    forwarded: `for=198.51.100.${count}`,
  });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, count) => redeem(direct, '000000-0000', lies(count))),
  );
  expect(statusesOf(answers)).toEqual({ 400: 30, 429: 10 });
  const behind = await Promise.all(
    Array.from({ length: 40 }, (_, count) =>
      redeem(hubs[count % 2] ?? direct, '000000-0000', {
        ...lies(count),
        ...from(`198.51.100.${count}, ${count % 3}::ffff:1, 203.0.113.9`),
      }),
    ),
  );
  expect(statusesOf(behind)).toEqual({ 400: 30, 429: 10 });
  // The addresses of one subscriber are one.
  const many = await Promise.all(
    Array.from({ length: 40 }, (_, count) => redeem(hubs[0], '000000-0000', from(`2001:db8::${count}:1`))),
  );
  expect(statusesOf(many)).toEqual({ 400: 30, 429: 10 });
});

test('guesses at one key at two hubs at once, from many addresses, end it after five', async () => {
  const key = await newKey();
  const guesses = await Promise.all(
    Array.from({ length: 60 }, (_, count) =>
      redeem(hubs[count % 2] ?? direct, wrong(key, count), from(`192.0.2.${count}`)),
    ),
  );
  expect(statusesOf(guesses)).toEqual({ 400: 60 });
  expect((await redeem(hubs[0], key, from('192.0.2.200'))).status).toBe(400);
  const { pairingKeys } = await direct.executor.invoke(
    { actor: owner, ...as },
    'projects_QueryDevicePairingKeys',
    { projectId },
  );
  expect(pairingKeys).toMatchObject([{ tries: amounts.triesOfPairingKey.max }]);
});

test('all refusals have the same answer, byte for byte, and none can be told from its headers', async () => {
  const [used, revoked, expired, open, closed] = [
    await newKey(),
    await newKey(),
    await newKey({ validForSecs: 1 }),
    await newKey(),
    await newKey(),
  ];
  expect((await redeem(hubs[0], used, from('192.0.2.1'))).status).toBe(200);
  const { pairingKeys } = await direct.executor.invoke(
    { actor: owner, ...as },
    'projects_QueryDevicePairingKeys',
    { projectId },
  );
  const { pairingKeyId } = pairingKeys.find(({ selector }) => revoked.startsWith(selector))!;
  await direct.executor.invoke({ actor: owner, ...as }, 'projects_RevokeDevicePairingKey', { pairingKeyId });
  for (const hub of [...hubs, direct]) hub.advance(2);
  for (let count = 0; count < 5; count += 1) await redeem(hubs[1], wrong(closed, count), from('192.0.2.2'));
  const answers: Answer[] = [];
  for (const key of [used, revoked, expired, wrong(open, 1), closed, '000000-0000', 'nonsense', ''])
    answers.push(await redeem(hubs[0], key, from('192.0.2.3')));
  const told = answers.map(({ status, text, headers }) => {
    const { date: _, ...others } = headers;
    return JSON.stringify([status, text, { ...others, 'x-request-id': undefined }]);
  });
  expect(new Set(told).size).toBe(1);
});

test('keys are redeemed, guessed, revoked and made, and devices come and are deleted, all at once, without a deadlock', async () => {
  const fingerprints = Array.from({ length: 3 }, () => newFingerprint());
  const problems: unknown[] = [];
  const note = ({ status, text }: Answer): void => {
    if (status !== 200 && status !== 400 && status !== 429) problems.push([status, text]);
  };
  const asked = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error: { kind?: string }) => {
      if (error.kind === undefined || error.kind === 'Internal') problems.push(error);
    });
  };
  const call = direct.executor;
  const rounds = Array.from({ length: 8 }, (_, worker) => worker);
  await Promise.all(
    rounds.map(async (worker) => {
      const hub = hubs[worker % 2] ?? direct;
      for (let round = 0; round < 6; round += 1) {
        const fingerprint = fingerprints[(worker + round) % 3] ?? newFingerprint();
        const key = await newKey().catch(() => '');
        const address = from(`192.0.2.${100 + worker}`);
        const [answer] = await Promise.all([
          redeem(hub, key, address, fingerprint),
          redeem(hubs[0], key, address, fingerprint),
          redeem(hubs[1], wrong(key, round), address),
        ]);
        note(answer);
        const { token, deviceId } = answer.json as { token?: string; deviceId?: Id<'device'> };
        if (token === undefined || deviceId === undefined) continue;
        const shown = { token: token as Id<'deploymentToken'>, fingerprint, certificate: newCertificate() };
        await Promise.all([
          asked(call.run(systemCaller, AuthenticateDevice, shown)),
          asked(call.run(systemCaller, AuthenticateDevice, { ...shown, certificate: newCertificate() })),
          newKey()
            .then((next) => redeem(hub, next, address, fingerprint))
            .then(note, () => undefined),
          ...(round % 2 === 0
            ? [asked(call.invoke({ actor: owner, ...as }, 'devices_DeleteDevice', { deviceId }))]
            : []),
        ]);
      }
    }),
  );
  expect(problems).toEqual([]);
  // The executor tries again what was a victim of one.
  const { rows } = await sql<{ deadlocks: number }>`
    select pg_stat_clear_snapshot(), deadlocks::int from pg_stat_database where datname = current_database()`.execute(
    database.db,
  );
  expect(rows[0]?.deadlocks).toBe(0);
});

test('no key is in the database or in the log, whether it was wrong or right', async () => {
  const [right, open] = [await newKey(), await newKey()];
  const guess = wrong(open, 7);
  await redeem(hubs[0], right.toLowerCase(), from('192.0.2.240'));
  await redeem(hubs[0], guess, from('192.0.2.240'));
  await redeem(hubs[1], right, from('192.0.2.240'));
  await hubs[1].call(`${path}?pairingKey=${right}`, { headers: from('192.0.2.240') });
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
    database.db,
  );
  let stored = '';
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(
      database.db,
    );
    stored += rows.map(({ row }) => row).join('\n');
  }
  expect(stored).toContain(right.slice(0, 6));
  const logged = [...hubs, direct].map((hub) => hub.logged()).join('\n');
  for (const key of [right, open, guess])
    for (const text of [key, key.replace('-', ''), key.toLowerCase(), key.toLowerCase().replace('-', '')]) {
      expect(stored).not.toContain(text);
      expect(logged).not.toContain(text);
    }
});
