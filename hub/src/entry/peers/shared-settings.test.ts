import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { checkNodes } from '../../operator/doctor/check-nodes.ts';
import { offlineExecutor } from '../../operator/offline-executor.ts';
import { version } from '../../wiring/version.ts';
import { loadConfig, type Config } from '../../config/config.ts';
import type { DatabaseAddress } from '../../platform/db/connect.ts';
import { startHub, type RunningHub } from '../../hub.ts';
import { rotateEventPartitions } from '../../domains/instance/jobs/upkeep.ts';
import { createLog } from '../../platform/log/log.ts';
import { liveNodes } from '../../domains/instance/sql/cluster-nodes.ts';

const secretKey = randomBytes(32).toString('base64');

let database: FreshDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'corral-shared-settings-'));
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

function urlOf(address: DatabaseAddress): string {
  if ('url' in address) return address.url;
  const { host, user, password, database: name } = address;
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
}

function configOf(nodeName: string, more: Record<string, string> = {}): Config {
  const env = {
    CORRAL_DATABASE_URL: urlOf(database.address),
    CORRAL_DATA_DIR: dataDir,
    CORRAL_NODE_NAME: nodeName,
    // Nothing listens there: without NATS a cluster is slower, and nothing else.
    CORRAL_NATS_URL: 'nats://127.0.0.1:1',
    CORRAL_SECRET_KEY: secretKey,
    CORRAL_DEVICE_CERTIFICATE_HEADER: 'off',
    ...more,
  };
  return loadConfig({ argv: ['--port', '0'], env, hostname: 'testing', isTerminal: false });
}

/** Starts a hub, and resolves with it and what it warned of. */
async function start(config: Config): Promise<{ hub: RunningHub; warnings: string[] }> {
  const warnings: string[] = [];
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line) as { level: unknown; msg: string };
    if (level === 40 || level === 'warn') warnings.push(msg);
    return true;
  };
  const destination = { write } as unknown as NodeJS.WritableStream;
  return { hub: await startHub(config, createLog({ level: 'info', format: 'json', destination })), warnings };
}

/** The month so many months ago, as partitions are named, such as 202611. */
function monthsAgo(months: number): number {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months));
  return month.getUTCFullYear() * 100 + month.getUTCMonth() + 1;
}

test('a hub with a shorter retention than another drops nothing that the other keeps, and differences are named', async () => {
  const { db } = database;
  const [old, next] = [monthsAgo(18), monthsAgo(17)];
  const name = `device_events_${old}`;
  await sql`create table ${sql.table(name)} partition of device_events
    for values from (${sql.lit(old)}) to (${sql.lit(next)})`.execute(db);
  const isKept = async () =>
    (await sql`select from pg_class where relname = ${name}`.execute(db)).rows.length === 1;

  const north = await start(configOf('north', { CORRAL_EVENT_RETENTION_MONTHS: '24' }));
  const publicUrl = 'https://other.example';
  const southConfig = configOf('south', { CORRAL_PUBLIC_URL: publicUrl, CORRAL_REGISTRATION: 'closed' });
  const south = await start(southConfig);
  const differences = [
    'CORRAL_EVENT_RETENTION_MONTHS is 24 at north, and not set at south: give all hubs the same.',
    'CORRAL_REGISTRATION is not set at north, and closed at south: give all hubs the same.',
    `CORRAL_PUBLIC_URL is not set at north, and ${publicUrl} at south: give all hubs the same.`,
  ];
  expect(south.warnings).toEqual(expect.arrayContaining(differences));
  expect(north.warnings.filter((warning) => warning.includes('give all hubs'))).toEqual([]);
  const doctorAt = async (config: Config) =>
    checkNodes(config, await liveNodes(db), version)
      .filter(({ state }) => state === 'wrong')
      .map(({ text }) => text);
  expect(await doctorAt(southConfig)).toEqual(differences);
  expect(await doctorAt(configOf('east', { CORRAL_AUDIT_RETENTION_MONTHS: '36' }))).toEqual([
    'CORRAL_EVENT_RETENTION_MONTHS is 24 at north, and not set at south, east: give all hubs the same.',
    'CORRAL_AUDIT_RETENTION_MONTHS is 24 at north, south, and 36 at east: give all hubs the same.',
    'CORRAL_REGISTRATION is not set at north, east, and closed at south: give all hubs the same.',
    `CORRAL_PUBLIC_URL is not set at north, east, and ${publicUrl} at south: give all hubs the same.`,
  ]);

  // As the job at the second hub does, whose retention is the default of 12 months.
  const existing = { db, address: database.address, now: () => new Date(), close: async () => undefined };
  const executor = await offlineExecutor(southConfig, existing);
  await rotateEventPartitions(executor, 12);
  expect(await isKept()).toBe(true);
  await north.hub.stop();
  // It may be starting again.
  await rotateEventPartitions(executor, 12);
  expect(await isKept()).toBe(true);
  await sql`update cluster_nodes set lease_until = lease_until - interval '1 hour' where name = 'north'`.execute(
    db,
  );
  // A start alone drops nothing either: the others may not have started yet.
  await south.hub.stop();
  const again = await start(southConfig);
  expect(await isKept()).toBe(true);
  await rotateEventPartitions(executor, 12);
  expect(await isKept()).toBe(false);
  await again.hub.stop();
});
