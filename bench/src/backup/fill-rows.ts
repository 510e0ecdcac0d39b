import { ids, type Id } from '@corral/contract';
import pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { rawIdOf } from '../large-fleet/seed.ts';
import { fillLog } from '../long-log.ts';

/** What one round adds. */
const round = { devices: 500, events: 15_000, commands: 5_000 };

/** Three hundred characters that compress to half of it. */
const text = (number: string): string =>
  Array.from({ length: 10 }, (_, part) => `md5('${part} of ' || ${number})`).join(' || ');

const devices = (project: string, after: number): string => `
  insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, metadata, created_at)
    select ${rawIdOf('device', 'n')}, '${project}', ${rawIdOf('key', 'n')}, '', 'Device ' || n, '{}', now() - n * interval '1 minute'
    from generate_series(${after + 1}, ${after + round.devices}) as n;
  insert into device_properties (device_id, name, value, is_protected, updated_at)
    select ${rawIdOf('device', 'n')}, name, jsonb_build_object('of', n, 'text', ${text('n || name')}), false, now()
    from generate_series(${after + 1}, ${after + round.devices}) as n, unnest(array['settings', 'report']) as name;`;

const events = (devicesBefore: number, after: number): string => `
  insert into device_events (device_id, event_month, event_id, category, severity, body, attributes, emitted_at, received_at)
    select ${rawIdOf('device', `(${devicesBefore + 1} + n % ${round.devices})`)}, to_char(at, 'YYYYMM')::int,
      to_char(at, 'YYYYMMDD-HH24MI-') || translate(right(md5('event' || n), 8), '0', 'g'), 'sensor', 'Info',
      to_jsonb(${text('n')}), jsonb_build_object('celsius', 20 + n % 10), at, now()
    from (select n, now() - n % 40000 * interval '1 minute' as at from generate_series(${after + 1}, ${after + round.events}) as n) as numbered
    on conflict do nothing;`;

/** Writes devices, properties, events and audit rows until the database has so many bytes, and waits until the hub has sealed the log. */
export async function fillRows(
  databaseUrl: string,
  projectId: Id<'project'>,
  databaseBytes: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    let done = 0;
    for (; (await sizeOf(client)) < databaseBytes; done += 1) {
      await client.query(devices(ids.project.raw(projectId), done * round.devices));
      await client.query(events(done * round.devices, done * round.events));
      await fillLog(client, round.commands, done * round.commands);
    }
    await client.query('vacuum analyze');
    await untilSealed(client, 2 * done * round.commands);
  } finally {
    await client.end();
  }
}

/** How many bytes the database has. */
async function sizeOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  );
  return Number(rows[0]?.bytes);
}

/** The hub begins to seal once a minute. */
async function untilSealed(client: pg.Client, auditRows: number): Promise<void> {
  const sealed = async (): Promise<number> => {
    const { rows } = await client.query<{ sealed: string }>(
      'select coalesce(sum(cardinality(action_ids) + cardinality(event_ids)), 0) as sealed from audit_seals',
    );
    return Number(rows[0]?.sealed);
  };
  while ((await sealed()) < auditRows) await delay(1_000);
}
