import { randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@corral/tools';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hubCertificate } from '../../../test/device-certificate.ts';
import { ownDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { hasNatsServer, natsServer, needNats, type NatsServer } from '../../../test/nats-server.ts';
import { s3Double, type S3Double } from '../../../test/s3-double/s3-double.ts';
import { smtpInbox, type SmtpInbox } from '../../../test/smtp-inbox.ts';
import { loadConfig } from '../../config/config.ts';
import type { DatabaseAddress } from '../../platform/db/connect.ts';
import { startHub, type RunningHub } from '../../hub.ts';
import { createLog } from '../../platform/log/log.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkAll } from './doctor-command.ts';

type Env = Readonly<Record<string, string>>;

function urlOf(address: DatabaseAddress, role?: string): string {
  if ('url' in address) return address.url;
  const { host, user, password, database: name } = address;
  return `postgres://${role ?? user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
}

const configOf = (env: Env) => loadConfig({ argv: [], env, hostname: 'testing', isTerminal: false });

/** What the doctor finds, a line each, as `wrong NATS: …`. */
async function findings(env: Env): Promise<string[]> {
  return (await checkAll(configOf(env))).map(({ check, state, text }) => `${state} ${check}: ${text}`);
}

describe('[needs NATS] a node of a cluster', () => {
  let database: FreshDatabase;
  let nats: NatsServer;
  let store: S3Double;
  let inbox: SmtpInbox;
  let dataDir: string;
  let env: Env;
  let hub: RunningHub;
  beforeEach(({ skip }) => needNats(skip));
  beforeAll(async () => {
    if (!hasNatsServer) return;
    [database, nats, store, inbox] = await Promise.all([
      ownDatabase(),
      natsServer(),
      s3Double(),
      smtpInbox(),
    ]);
    dataDir = await mkdtemp(join(tmpdir(), 'corral-doctor-'));
    const port = await freePort();
    env = {
      CORRAL_DATABASE_URL: urlOf(database.address),
      CORRAL_DATA_DIR: dataDir,
      CORRAL_PORT: `${port}`,
      CORRAL_NODE_NAME: 'north',
      CORRAL_NATS_URL: `nats://127.0.0.1:${nats.port}`,
      CORRAL_SECRET_KEY: randomBytes(32).toString('base64'),
      CORRAL_SMTP_URL: inbox.url,
      CORRAL_S3_ENDPOINT: store.settings.endpoint,
      CORRAL_S3_BUCKET: store.settings.bucket,
      CORRAL_S3_ACCESS_KEY_ID: store.settings.accessKeyId,
      CORRAL_S3_SECRET_ACCESS_KEY: store.settings.secretAccessKey,
    };
    const destination = { write: () => true } as unknown as NodeJS.WritableStream;
    hub = await startHub(configOf(env), createLog({ level: 'info', format: 'json', destination }));
    const nodes = () =>
      sql<{ bus: string }>`select message_bus as bus from cluster_nodes`.execute(database.db);
    await vi.waitFor(async () => expect((await nodes()).rows).toEqual([{ bus: 'Connected' }]));
  });
  afterAll(async () => {
    await hub?.stop();
    await Promise.all([nats?.stop(), store?.[Symbol.asyncDispose](), inbox?.[Symbol.asyncDispose]()]);
    await database?.[Symbol.asyncDispose]();
    if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
  });
  afterEach(() => void vi.restoreAllMocks());

  const problems = async (changes: Env): Promise<string[]> =>
    (await findings({ ...env, ...changes })).filter((line) => !line.startsWith('right'));

  test('has all that it stands on, and the doctor says what that is', async () => {
    const lines = await findings(env);
    expect(lines.filter((line) => !line.startsWith('right'))).toEqual([]);
    for (const line of [
      /^right Database: It is PostgreSQL \d+/,
      /^right Database role: \w+ may do what the hub needs/,
      /^right Clock: The clocks of this machine and of the database differ by \d\.\d s\.$/,
      /^right Schema: It is that of this release \(\d{4}-/,
      /^right Secret key: CORRAL_SECRET_KEY has the key that the database was written with/,
      /^right Hubs: These run: north \(\d/,
      /^right Peer addresses: 127\.0\.0\.1:\d+ can be reached\.$/,
      /^right NATS: 127\.0\.0\.1:\d+ can be used\.$/,
      /^right NATS: All 1 running hubs answered through it\.$/,
      /^right Clocks of hubs: They agree/,
      /^right Assets: They are kept in the bucket \w+ at http.*, which can be used\.$/,
      /^right Mail: 127\.0\.0\.1:\d+ can be used/,
      /^right This hub: Release .* runs at http:\/\/127\.0\.0\.1:\d+ and is ready\.$/,
      /^right Public URL: http:\/\/127\.0\.0\.1:\d+ leads to this Corral\.$/,
      /^right Descriptors: The hub may have \d+ descriptors/,
    ])
      expect(lines).toContainEqual(expect.stringMatching(line));
    expect(store.objects.size).toBe(0);
    expect(inbox.mails).toEqual([]);
  });

  const broken: [what: string, changes: Env, expected: RegExp[]][] = [
    [
      'another secret key',
      { CORRAL_SECRET_KEY: randomBytes(32).toString('base64') },
      [/^wrong Secret key: CORRAL_SECRET_KEY: the database holds secrets/, /^unchecked Peer addresses: /],
    ],
    [
      'NATS and mail server unavailable, no such bucket, and fewer connections than needed',
      {
        CORRAL_NATS_URL: 'nats://127.0.0.1:1',
        CORRAL_S3_BUCKET: 'elsewhere',
        CORRAL_SMTP_URL: 'smtp://127.0.0.1:1',
        CORRAL_MAX_CONNECTIONS: '1000000',
      },
      [
        /^wrong NATS: CORRAL_NATS_URL: NATS cannot be used: /,
        /^wrong Assets: CORRAL_S3_ENDPOINT: the bucket elsewhere at .* cannot be used: /,
        /^wrong Mail: .*The mail server cannot be reached: /,
        /^wrong Descriptors: The hub may have/,
      ],
    ],
    [
      'no hub that runs',
      { CORRAL_PORT: '1', CORRAL_PUBLIC_URL: 'http://127.0.0.1:1' },
      [/^unchecked This hub: Nothing answers at/, /^unchecked Public URL: /],
    ],
    [
      'a name that leads nowhere',
      { CORRAL_PUBLIC_URL: 'https://127.0.0.1:1' },
      [/^wrong Public URL: https:\/\/127\.0\.0\.1:1 does not answer: /],
    ],
    ['a data folder where none can be', { CORRAL_DATA_DIR: '/proc/1/none' }, [/^wrong Data folder: /]],
    [
      'a data folder where none can be made',
      { CORRAL_DATA_DIR: '/proc/none/none' },
      [
        /^wrong Data folder: CORRAL_DATA_DIR: the folder \/proc\/none\/none cannot be used: no folder can be made there\./,
      ],
    ],
  ];
  test('is told of what is missing or wrong, and of nothing else', async () => {
    // One after the other: on a busy machine many at once outlast the time limits of their checks, and say so.
    for (const [what, changes, expected] of broken) {
      const found = await problems(changes);
      expect(found, what).toHaveLength(expected.length);
      for (const line of expected) expect(found, what).toContainEqual(expect.stringMatching(line));
    }
  });

  test('is told of another NATS than that of the hub that runs', async () => {
    await using other = await natsServer();
    expect(await problems({ CORRAL_NATS_URL: `nats://127.0.0.1:${other.port}` })).toEqual([
      'wrong NATS: No answer through it came from north: give all hubs the same CORRAL_NATS_URL.',
    ]);
  });

  test('is told of a public URL that leads to another program', async () => {
    const stranger = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    expect(await problems({ CORRAL_PUBLIC_URL: `http://127.0.0.1:${port}` })).toEqual([
      expect.stringMatching(/^wrong Public URL: .* leads to another program or another Corral/),
    ]);
    expect(await problems({ CORRAL_PORT: `${port}`, CORRAL_PUBLIC_URL: hub.url })).toEqual([
      expect.stringMatching(/^wrong This hub: Another program answers at/),
    ]);
    stranger.close();
  });

  test('is told of a reverse proxy that does not pass the host name on', async () => {
    const host = 'elsewhere.example';
    const proxy = createServer(({ url }, response) => {
      get(`${hub.url}${url}`, { headers: { host } }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    expect(await problems({ CORRAL_PUBLIC_URL: `http://127.0.0.1:${port}` })).toEqual([
      expect.stringMatching(/^wrong Public URL: .* leads to a hub that does not know this name/),
    ]);
    proxy.close();
  });

  test('is told of a clock that is wrong', async () => {
    const now = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => now() - 61_000);
    expect(await problems({})).toContainEqual(
      expect.stringMatching(
        /^wrong Clock: The clock of this machine is 6\d s behind that of the database: set both by NTP/,
      ),
    );
  });

  test('is told of a server, a user or a database that is not there, without the password', async () => {
    const { host } = database.address as { host: string };
    const at = (database_: string, server: string) => ({
      CORRAL_DATABASE_URL: `postgres://corral:hinge-and-oil@${server}/${database_}`,
    });
    for (const [changes, advice] of [
      [at('corral', '127.0.0.1:1'), 'Start it, or correct host and port.'],
      [
        at(`none?host=${encodeURIComponent(host)}`, 'localhost'),
        /Correct user and password|Create the database/,
      ],
    ] as const) {
      const found = await problems(changes);
      expect(found).toContainEqual(
        expect.stringMatching(/^wrong Database: CORRAL_DATABASE_URL: the server at /),
      );
      expect(found.find((line) => line.startsWith('wrong Database'))).toMatch(advice);
      expect(found.join('')).not.toContain('hinge-and-oil');
    }
  });

  test('is told of a role that may not do enough, and of a newer schema', async () => {
    const { db } = database;
    const { password } = database.address as { password: string };
    await sql`create role doctor_reader login password ${sql.lit(password)} in role pg_read_all_data`.execute(
      db,
    );
    await sql`insert into schema_migrations (name, timestamp) values ('9999-of-tomorrow', 'now')`.execute(db);
    await sql`update schema_compatibility set oldest_release = '99.0.0'`.execute(db);
    try {
      const found = await problems({ CORRAL_DATABASE_URL: urlOf(database.address, 'doctor_reader') });
      expect(found).toEqual([
        expect.stringMatching(/^wrong Database role: doctor_reader may not make tables/),
        expect.stringMatching(
          /^wrong Database role: Tables belong to \w+, of which doctor_reader is no member/,
        ),
        expect.stringMatching(
          /^wrong Schema: The database was upgraded for Corral 99\.0\.0 and newer, and this is /,
        ),
      ]);
    } finally {
      await sql`delete from schema_migrations where name = '9999-of-tomorrow'`.execute(db);
      await sql`update schema_compatibility set oldest_release = '0.1.0'`.execute(db);
      await sql`drop role doctor_reader`.execute(db);
    }
  });

  test('is told of a server without trigrams, or with them in a schema of its own, and how to have the index', async () => {
    const { db } = database;
    const statementsOf = async () => {
      const [missing, ...others] = await problems({});
      expect([missing, others]).toEqual([
        expect.stringMatching(/^wrong Schema: The index of trigrams is missing/),
        [],
      ]);
      return [...(missing ?? '').matchAll(/"((?:create|grant) .*?;)"(?=[,. ])/g)].map(
        ([, statement = '']) => statement,
      );
    };
    await sql`drop extension pg_trgm cascade`.execute(db);
    const statements = await statementsOf();
    expect(statements).toHaveLength(2);
    for (const statement of statements) await sql.raw(statement).execute(db);
    expect(await problems({})).toEqual([]);

    await sql`drop index device_texts_by_trigram`.execute(db);
    await sql`create schema "Of others"; alter extension pg_trgm set schema "Of others"`.execute(db);
    for (const statement of await statementsOf()) await sql.raw(statement).execute(db);
    expect(await problems({})).toEqual([]);
  });

  test('is told that hubs of a cluster share neither disk nor folder, and of one that is alone', async () => {
    await sql`insert into cluster_nodes (node_id, name, joined_at, lease_until, last_heartbeat_at, version)
      values ('lone', 'lone', now(), now() + interval '1 minute', now(), '99.0.0')`.execute(database.db);
    const { CORRAL_SMTP_URL: _mail, ...rest } = env;
    const found = (await findings(rest)).filter((line) => line.startsWith('wrong'));
    expect(found).toEqual([
      expect.stringMatching(/^wrong Hubs: lone runs as the only one, without CORRAL_NATS_URL/),
      expect.stringMatching(/^wrong Hubs: Some run a newer release than /),
      expect.stringMatching(/^wrong Mail: No mail server is set, and the hubs of a cluster share no folder/),
    ]);
    await sql`delete from cluster_nodes where node_id = 'lone'`.execute(database.db);
  });
});

test('a key that others can read is wrong, and its mode stays', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-doctor-key-'));
  const { openVault } = await import('../../platform/vault/open-vault.ts');
  await openVault({ secretKeys: [], dataDir }, async () => []);
  const env = { CORRAL_DATA_DIR: dataDir, CORRAL_PORT: '1' };
  const keyLine = async () => (await findings(env)).find((line) => line.includes('Secret key'));
  expect(await keyLine()).toMatch(
    /^unchecked Secret key: .* whether it is that of the database was not checked/,
  );
  await chmod(join(dataDir, 'secret.key'), 0o444);
  for (const _again of [1, 2])
    expect(await keyLine()).toBe(
      `wrong Secret key: Other users can read ${dataDir}/secret.key: chmod 400 it.`,
    );
  await rm(dataDir, { recursive: true, force: true });
});

describe('a certificate', () => {
  const found = (pem: string, names: string[], at: string) =>
    checkCertificate(new X509Certificate(pem), names, Date.parse(at)).map(
      ({ state, text }) => `${state} ${text}`,
    );

  test('has to fit all names, and to be valid for two weeks more', async () => {
    const { certPem } = await hubCertificate();
    const in2026 = '2026-11-23T00:00:00Z';
    expect(found(certPem, ['localhost', '127.0.0.1'], in2026)).toEqual([
      'right It is for localhost, 127.0.0.1.',
      'right It is valid until 2100-01-01.',
    ]);
    expect(found(certPem, ['localhost', 'hub.example', '[::1]'], in2026)[0]).toBe(
      'wrong It is not for hub.example, [::1]: get one that names them as well.',
    );
    expect(found(certPem, [], '2099-12-31T00:00:00Z')[1]).toMatch(
      /^wrong It ends on 2100-01-01, in 1 days: renew it/,
    );
    expect(found(certPem, [], '2100-01-02T00:00:00Z')[1]).toMatch(/^wrong It ended on 2100-01-01: renew it/);
    expect(found(certPem, [], '2019-01-01T00:00:00Z')[1]).toMatch(/^wrong It is valid only from .*2020/);
  });
});
