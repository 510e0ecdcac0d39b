import type { OtlpStream } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';

/** SQL for the project of a row that is written, if it exports rows of this kind over OTLP; null otherwise. */
export function exportProject(projectId: RawBuilder<unknown>, stream: OtlpStream): RawBuilder<string | null> {
  return sql<
    string | null
  >`(select x.project_id from otlp_exports x where x.project_id = ${projectId} and x.is_enabled
    and ${sql.lit(stream)} = any(x.streams))`;
}

/** SQL that sets the columns of a connection that ends, as `exportProject` does of one that begins. */
export function exportEnd(projectId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(export_project, export_end_position) = (
    select coalesce(max(x.project_id), c.export_project), case when max(x.project_id) is not null then audit_position() end from otlp_exports x
    where x.project_id = ${projectId} and x.is_enabled and 'connections' = any(x.streams))`;
}
