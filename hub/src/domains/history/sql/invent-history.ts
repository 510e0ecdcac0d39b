import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** What a demo shows. */
interface InventedFleet {
  /** The raw id of the project. */
  readonly projectId: string;
  readonly devices: number;
  readonly nodeName: string;
}

/** Whether anything was recorded before the last minutes, in which a demo starts. */
export async function hasHistory(tx: Database, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from history where at + make_interval(secs => step_secs) < ${now}::timestamptz - interval '10 minutes' limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Writes a past of 30 days in which a fleet grew, many of its devices were switched off at night, and the hub was away for two minutes on the last night; without events, whose list would have none. */
export async function inventHistory(
  tx: Database,
  { projectId, devices, nodeName }: InventedFleet,
  now: Date,
): Promise<void> {
  await sql`
    with steps as (
      select t.step_secs, generate_series(date_bin(make_interval(secs => t.step_secs), ${now}::timestamptz - t.kept, '2000-01-01T00:00:00Z'::timestamptz),
        ${now}::timestamptz - case t.step_secs when 60 then interval '1 minute' else interval '0' end, make_interval(secs => t.step_secs)) as at
      from (values (60, interval '2 days'), (3600, interval '30 days'), (86400, interval '30 days')) as t(step_secs, kept)
    ), daily as (
      select step_secs, at, ${devices} * (1 - 0.15 * extract(epoch from ${now}::timestamptz - at)::float8 / 2592000) as fleet,
        case step_secs when 86400 then 1 else greatest(-1, least(1, 3 * sin(2 * pi() * (extract(epoch from at)::bigint % 86400 - 21600) / 86400))) end as light
      from steps where step_secs > 60 or to_char(at at time zone 'UTC', 'HH24:MI') not in ('03:12', '03:13')
    ), seen as (
      select step_secs, at, least(step_secs, extract(epoch from date_trunc('minute', ${now}::timestamptz) - at))::integer as passed_secs, round(fleet)::integer as fleet, round(fleet * (0.8 + 0.16 * light) - abs(hashint8(extract(epoch from at)::bigint)) % 3)::integer as connected
      from daily
    ), figures as (
      select step_secs, at, passed_secs, greatest(connected, 0) as connected, greatest(fleet - connected, 0) as disconnected,
        case step_secs when 86400 then round(fleet * 0.64)::integer else greatest(connected - 1, 0) end as low
      from seen
    )
    insert into history (kind, subject, step_secs, at, watched_secs, connected, connected_low, connected_high, disconnected, waiting, users, projects, memory_bytes, load, invented_until)
    select s.kind, s.subject, f.step_secs, f.at, case s.kind when 'Instance' then f.passed_secs end, f.connected, least(f.low, f.connected), f.connected,
      case when s.kind <> 'Node' then f.disconnected end, case when s.kind <> 'Node' then 0 end, case s.kind when 'Instance' then 1 end, case s.kind when 'Instance' then 1 end,
      case s.kind when 'Node' then 220000000 + f.connected * 20000::bigint end, case s.kind when 'Node' then 0.3 + f.connected / 2000.0 end, ${now}
    from figures f cross join (values ('Project', ${projectId}), ('Instance', ''), ('Node', ${nodeName})) as s(kind, subject)
    on conflict do nothing`.execute(tx);
}
