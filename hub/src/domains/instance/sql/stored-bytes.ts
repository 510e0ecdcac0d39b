import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** The bytes of what the instance stores. */
export interface StoredBytes {
  readonly assets: number;
  readonly events: number;
  readonly auditLog: number;
  readonly otherRows: number;
}

/** Reads the sizes of files, and no rows but the counts of repositories. */
export async function measureStorage(tx: Database): Promise<StoredBytes> {
  const { rows } = await sql<StoredBytes>`
    select assets::float8, events::float8, audit_log::float8 as "auditLog", greatest(0, whole - events - audit_log)::float8 as "otherRows"
    from (
      select (select coalesce(sum(bytes), 0) from repository_counts) as assets,
        (select coalesce(sum(pg_total_relation_size(relid)), 0) from pg_partition_tree('device_events')) as events,
        (select sum(pg_total_relation_size(name::regclass)) from unnest(array['audit_events', 'audit_actions', 'audit_event_entities']) as name) as audit_log,
        pg_database_size(current_database()) as whole
    ) as sizes`.execute(tx);
  return rows[0] ?? { assets: 0, events: 0, auditLog: 0, otherRows: 0 };
}
