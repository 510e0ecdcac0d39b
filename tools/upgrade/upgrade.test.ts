import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../free-ports.ts';
import { newMemoryFolder } from '../memory-folder.ts';
import { startProgram, type RunningProgram } from '../release/try/programs.ts';
import { repositoryRoot } from '../source-files.ts';
import { checkHub } from './check-hub.ts';
import { differences } from './compare-answers.ts';
import { checkOutEarlier, newestRelease } from './earlier-checkout.ts';
import { connectedDevice, fillHub } from './fill-hub.ts';
import { readAgain, readHub } from './read-hub.ts';

const administrator = { email: 'admin@example.org', password: 'gate-latch-and-rail' };

/** What the filler leaves empty: queues, what only lasts for minutes, and what needs an S3 server, a provider, a browser with a passkey, a CI or a terminal. */
const notFilled = new Set(
  `additional_connections asset_use_changes event_count_changes event_outbox project_count_changes repository_count_changes queued_mails
  pending_sign_ins totp_enrolments used_challenges used_id_tokens used_logout_tokens redeemed_proxy_tokens refused_arrivals request_counts
  audit_checks audit_cuts audit_seals deleted_devices device_silences history instance_days sign_in_failures otlp_streams
  device_events_other device_facts device_installs device_proxy_hosts fact_keys fleet_selection_errors recorded_downloads
  object_stores user_identities provider_tests passkeys publishing_refusals terminal_chunks terminal_sessions terminal_tickets
  operation_events`.split(/\s+/),
);

test('a hub of the release before, with data of all kinds, loses nothing when the present one starts on its data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'corral-upgrade-'));
  const dataDir = await newMemoryFolder();
  const running: RunningProgram[] = [];
  onTestFinished(async () => {
    await Promise.all(running.map((program) => program.stop()));
    for (const each of [folder, dataDir]) await rm(each, { recursive: true });
  });
  const start = (env: Record<string, string>, ...args: string[]): RunningProgram => {
    const program = startProgram([process.execPath, args], { PATH: process.env['PATH'], ...env });
    running.push(program);
    return program;
  };
  const [earlier, port] = [join(folder, 'earlier'), await freePort()];
  await mkdir(earlier);
  const name = checkOutEarlier(earlier);
  const startHub = async (root: string): Promise<RunningProgram> => {
    const hub = start(
      {
        CORRAL_DATA_DIR: dataDir,
        CORRAL_PORT: String(port),
        CORRAL_ADMIN_EMAIL: administrator.email,
        CORRAL_ADMIN_PASSWORD: administrator.password,
      },
      join(root, 'hub/src/main.ts'),
    );
    await hub.find(/(Corral is ready)/);
    return hub;
  };
  const url = `http://127.0.0.1:${port}`;
  const before = await startHub(earlier);
  const filling = await fillHub(url, administrator, (token) => {
    const agent = join(repositoryRoot, 'agent/dist/corral-agent.mjs');
    const env = { CORRAL_AGENT_TOKEN: token, CORRAL_AGENT_HUB_URL: url };
    start(env, agent, 'run', '--state', join(folder, 'agent'));
  });
  const answers = await readHub(filling);
  // A table that no release has is not filled yet.
  const empty = newestRelease() === undefined ? [] : await emptyTables(dataDir);
  expect(empty.filter((table) => !notFilled.has(table))).toEqual([]);
  await before.stop();
  await startHub(repositoryRoot);
  await connectedDevice(filling.readers.administrator.invoke, filling.projectId);
  expect(answers.length).toBeGreaterThan(300);
  expect(differences(answers, await readAgain(filling.readers, answers)), `lost since ${name}`).toEqual([]);
  expect(await checkHub(url, filling, answers)).toBeGreaterThan(2);
  // Where the libraries changed, npm installs those of the release.
}, 600_000);

async function emptyTables(dataDir: string): Promise<string[]> {
  const read = (path: string): string => readFileSync(join(dataDir, 'postgres', path), 'utf8');
  const [, , , , host = ''] = read('cluster/postmaster.pid').split('\n');
  const database = new pg.Client({
    host,
    user: 'corral',
    database: 'postgres',
    password: read('password').trim(),
  });
  await database.connect();
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
  );
  const empty: string[] = [];
  for (const { name } of rows)
    if ((await database.query(`select from "${name}" limit 1`)).rowCount === 0) empty.push(name);
  await database.end();
  return empty;
}
