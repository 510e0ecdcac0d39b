import { sql } from 'kysely';
import type { Database } from '../../platform/db/connect.ts';

/**
 * Adapts what held only on the server of the backup. Transaction ids start again: positions in the audit log and of what is exported
 * continue after those of the rows, and nothing waits for a transaction of the other server. The leases of nodes end, so that the first hub ends their connections as
 * after a crash. Sessions of users are deleted, because they may have been ended after the backup. Texts that the other server has put in lower
 * case by its own rules are written again.
 */
export async function adaptToServer(tx: Database): Promise<void> {
  await raisePositions(tx);
  await forgetTransactions(tx);
  await sql`update cluster_nodes set lease_until = least(lease_until, now())`.execute(tx);
  await sql`delete from user_sessions`.execute(tx);
  await lowerTexts(tx);
}

async function raisePositions(tx: Database): Promise<void> {
  const ofExports = (await hasExports(tx)) ? positionsOfExports : sql`null::bigint`;
  const { rows } = await sql<{ highest: number }>`
    select greatest((select max(position) from audit_actions), (select max(position) from audit_events), ${ofExports}, 0) as highest`.execute(
    tx,
  );
  const offset = sql.lit(`select ${rows[0]?.highest ?? 0}::bigint`);
  await sql`create or replace function audit_position_offset() returns bigint language sql stable as ${offset}`.execute(
    tx,
  );
}

/** SQL of the highest position of what is exported. */
const positionsOfExports = sql`greatest((select max(position) from operation_events),
  (select max(greatest(s.cursor_position, (select max(export_position) from device_events where export_project = s.project_id),
    (select max(greatest(export_position, export_end_position)) from device_connections where export_project = s.project_id))) from otlp_streams s))`;

/** Whether the schema of the backup, which is migrated only after this, knows exports. */
async function hasExports(tx: Database): Promise<boolean> {
  const { rows } = await sql<{ hasExports: boolean }>`
    select to_regclass('otlp_streams') is not null as "hasExports"`.execute(tx);
  return rows[0]?.hasExports === true;
}

/** Columns of the type xid8 hold transactions to wait for; those of the other server have all ended. */
async function forgetTransactions(tx: Database): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.atttypid = 'xid8'::regtype and attnum > 0
      and not attisdropped`.execute(tx);
  for (const { table, column } of rows)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = '0' where ${sql.ref(column)} is not null`.execute(
      tx,
    );
}

async function lowerTexts(tx: Database): Promise<void> {
  await sql`
    update device_texts t set texts = searched_texts(d.device_id, d.name, d.hostname)
      from all_devices d where d.device_id = t.device_id and t.texts <> searched_texts(d.device_id, d.name, d.hostname)`.execute(
    tx,
  );
}
