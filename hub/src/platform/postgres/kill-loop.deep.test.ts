import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type HubProcess,
  waitUntil,
  query,
  startHubProcess,
  withDatabase,
  withPostgres,
} from './fixtures/hub-under-test.ts';

type Victim = 'hub' | 'database' | 'both';

const kills = 60;
const writers = 4;

test(
  `loses and duplicates no acknowledged row over ${kills} kills of hub and database`,
  { timeout: 60_000 + kills * 6_000 },
  async () => {
    await withDatabase(async (dataDir) => {
      await withPostgres(dataDir, ({ connection }) =>
        query(connection, 'CREATE TABLE written (id text PRIMARY KEY)'),
      );
      const journal = join(dataDir, 'journal');
      for (let done = 0; done < kills;) done += await runOneHub(dataDir, journal, done);
      const acknowledged = readFileSync(journal, 'utf8').trim().split('\n');
      await withPostgres(dataDir, async ({ connection }) => {
        const rows = await query(connection, 'SELECT ctid, id FROM written'); // ctid forces a scan of the table instead of the index.
        const written = rows.map(({ id }) => id as string);
        const present = new Set(written);
        expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
        expect(present.size).toBe(written.length);
        expect(new Set(acknowledged).size).toBe(acknowledged.length);
        expect(acknowledged.length).toBeGreaterThan(kills * 50);
        expect(await damage(connection)).toEqual([]);
      });
    });
  },
);

/** Runs one hub until it is killed and returns the number of kills of hub and database. */
async function runOneHub(dataDir: string, journal: string, done: number): Promise<number> {
  const hub = startHubProcess(dataDir, writers);
  let acks = 0;
  hub.on('ack', (id: string) => {
    appendFileSync(journal, `${id}\n`);
    acks += 1;
  });
  let pid = 0;
  hub.on('ready', (line: string) => (pid = Number.parseInt(line, 10)));
  hub.on('restarted', (line: string) => (pid = Number.parseInt(line, 10)));
  for (let count = 1; ; count += 1) {
    const goal = acks + 50 + Math.floor(Math.random() * 250);
    await waitUntil(() => acks >= goal);
    const victim = done + count >= kills ? 'both' : choose(count);
    await kill(hub, pid, victim);
    if (victim !== 'database') return count;
  }
}

function choose(count: number): Victim {
  if (count >= 3) return 'both';
  return (['hub', 'database', 'both'] as const)[Math.floor(Math.random() * 3)]!;
}

async function kill(hub: HubProcess, pid: number, victim: Victim): Promise<void> {
  const restarted = victim === 'database' && once(hub, 'restarted');
  if (victim !== 'hub') process.kill(pid, 'SIGKILL');
  if (victim !== 'database') await hub.kill();
  await restarted;
}

/** The findings of PostgreSQL's own check of tables and indexes. */
async function damage(connection: Parameters<typeof query>[0]): Promise<unknown[]> {
  await query(connection, 'CREATE EXTENSION IF NOT EXISTS amcheck');
  await query(connection, "SELECT bt_index_check('written_pkey', true)");
  return query(connection, "SELECT * FROM verify_heapam('written')");
}
