import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, recordingLog, withDataDir } from './fixtures/hub-under-test.ts';
import { type RunningPostgres, startPostgres } from './start-postgres.ts';

const log = recordingLog();
let dataDir: string;
let postgres: RunningPostgres;
let finish: () => void;
let finished: Promise<void>;

beforeAll(async () => {
  await new Promise<void>((started, failed) => {
    finished = withDataDir(async (folder) => {
      dataDir = folder;
      postgres = await startPostgres({ dataDir, log });
      started();
      await new Promise<void>((resolve) => (finish = resolve));
      await postgres.stop();
    });
    finished.catch(failed);
  });
});

afterAll(async () => {
  finish();
  await finished;
});

test('initialises an empty folder and answers queries', async () => {
  expect(await query(postgres.connection, 'SELECT 1 + 1 AS two')).toEqual([{ two: 2 }]);
  expect(postgres.version).toMatch(/^\d+\.\d+/);
  expect(postgres.restarts).toBe(0);
});

test('uses fsync, checksums, UTC and UTF-8', async () => {
  const names = [
    'fsync',
    'synchronous_commit',
    'full_page_writes',
    'data_checksums',
    'TimeZone',
    'server_encoding',
  ];
  const [settings] = await query(
    postgres.connection,
    `SELECT ${names.map((name) => `current_setting('${name}') AS "${name}"`).join(', ')}, lower('ÄÖÜ') AS lower`,
  );
  expect(Object.values(settings!)).toEqual(['on', 'on', 'on', 'on', 'UTC', 'UTF8', 'äöü']);
});

test('listens only on a Unix socket in a private folder', async () => {
  const [row] = await query(
    postgres.connection,
    `SELECT current_setting('listen_addresses') AS tcp, inet_server_addr() AS address`,
  );
  expect(row).toEqual({ tcp: '', address: null });
  expect(statSync(postgres.connection.host).mode & 0o777).toBe(0o700);
});

test('requires the password', async () => {
  const stranger = { ...postgres.connection, password: 'postgres' };
  await expect(query(stranger, 'SELECT 1')).rejects.toThrow('password authentication failed');
});

test('the files of the database are not readable by other users', async () => {
  const root = join(dataDir, 'postgres');
  expect(statSync(join(root, 'cluster')).mode & 0o777).toBe(0o700);
  expect(statSync(join(root, 'password')).mode & 0o777).toBe(0o600);
  expect(statSync(join(root, 'postgres.log')).mode & 0o777).toBe(0o600);
  expect(statSync(root).mode & 0o007).toBe(0);
  for (const name of await readdir(join(root, 'cluster'))) {
    expect(statSync(join(root, 'cluster', name)).mode & 0o077, name).toBe(0);
  }
});

test('leaves no temporary files', async () => {
  expect((await readdir(join(dataDir, 'postgres'))).filter((name) => name.includes('unfinished'))).toEqual(
    [],
  );
});

test('the password is neither in the process list nor in a log', async () => {
  const { password } = postgres.connection;
  expect(password.length).toBeGreaterThan(40);
  expect(execFileSync('ps', ['-axww', '-o', 'args'], { encoding: 'utf8' })).not.toContain(password);
  expect(await readFile(join(dataDir, 'postgres', 'postgres.log'), 'utf8')).not.toContain(password);
  expect(log.lines.join()).not.toContain(password);
});

test('runs without privileges', () => {
  const uid = execFileSync('ps', ['-o', 'uid=', '-p', `${postgres.pid}`], { encoding: 'utf8' });
  expect(Number(uid)).toBeGreaterThan(0);
});

// Only Linux shows the groups and the environment of another process.
const onLinux = process.platform === 'linux' ? test : undefined;

onLinux?.('has neither the groups nor the environment of the hub', () => {
  const status = readFileSync(`/proc/${postgres.pid}/status`, 'utf8');
  expect(/^Uid:\s+(.+)$/m.exec(status)![1]!.split(/\s+/)).not.toContain('0');
  expect(/^Groups:\s*(.*)$/m.exec(status)![1]!.split(/\s+/)).not.toContain('0');
  const environment = readFileSync(`/proc/${postgres.pid}/environ`, 'utf8').split('\0').filter(Boolean);
  const known = ['PATH', 'PWD', 'LC_ALL', 'TZ', 'OLDPWD', 'SHLVL', '_'];
  expect(environment.map((entry) => entry.split('=')[0]).filter((name) => !known.includes(name!))).toEqual(
    [],
  );
});

test('a server for loading logs no rows of a new table, and they stay when it was killed and starts for a hub', () =>
  withDataDir(async (folder) => {
    const loader = await startPostgres({ dataDir: folder, log, isForLoading: true });
    const position = `SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`;
    const [before] = await query(loader.connection, position);
    await query(
      loader.connection,
      `CREATE TABLE loaded AS SELECT repeat('a', 1000) AS text FROM generate_series(1, 20000)`,
    );
    const [after] = await query(loader.connection, position);
    expect(Number(after!['bytes']) - Number(before!['bytes'])).toBeLessThan(1_000_000);
    process.kill(loader.pid!, 'SIGQUIT');
    await loader.stop();
    const started = await startPostgres({ dataDir: folder, log });
    const [row] = await query(
      started.connection,
      `SELECT count(*)::int AS rows, current_setting('wal_level') AS level FROM loaded`,
    );
    expect(row).toEqual({ rows: 20_000, level: 'replica' });
    await started.stop();
  }));
