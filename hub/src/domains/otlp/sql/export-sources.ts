import { eventFields, projectEventFields, type DeviceEventSeverity, type OtlpStream } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { eventFilterSql } from '../../devices/index.ts';

/** What of a project is exported; its id is raw. */
export interface Exported {
  readonly projectId: string;
  readonly stream: OtlpStream;
  readonly minSeverity: DeviceEventSeverity | null;
  readonly filter: string | null;
}

/** The place of a record in its stream: the number of the transaction that wrote it, then the raw id of its device where the stream has one, then its own. */
export interface OtlpCursor {
  readonly position: number;
  readonly device: string;
  readonly id: string;
}

/** Nothing is written below it any more: all transactions below `pg_snapshot_xmin` have ended. A long transaction that writes only makes the export wait. */
export const horizon = sql<number>`(select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + audit_position_offset())`;

type Source = (projectId: RawBuilder<string>, passes: RawBuilder<boolean>) => RawBuilder<unknown>;

/** The last lines of the log of a step that are exported. */
const logTail = 20;

/** The records of a project by stream, all with the same columns. `bytes` is their size as they are stored. */
const sources: Readonly<Record<OtlpStream, Source>> = {
  events: (projectId, passes) => sql`
    select export_position as position, device_id as device, event_id as id, device_id, received_at, emitted_at, severity, category, body,
      case when device_time is null then attributes else attributes || jsonb_build_object('corral.event.device_time', device_time) end as attributes,
      pg_column_size(body) + pg_column_size(attributes) + 100 as bytes, ${passes} as passes
    from device_events where export_project = ${projectId}`,
  audit: (projectId) => sql`
    select position, ''::text as device, event_id as id, substr(data ->> 'deviceId', 3) as device_id, created_at as received_at, created_at as emitted_at,
      'Info'::text as severity, null::text as category, to_jsonb(event) as body, jsonb_build_object('corral.actor', actor, 'corral.data', data) as attributes,
      pg_column_size(data) + 200 as bytes, exists (select 1 from audit_event_entities a
        where a.event_id = audit_events.event_id and a.entity_kind = 'project' and a.entity_id = ${projectId}) as passes
    from audit_events`,
  operations: (projectId) => sql`
    select position, ''::text as device, event_id::text as id, device_id, at as received_at, at as emitted_at,
      case when kind in ('Failed', 'TimedOut') then 'Error' when kind = 'Paused' then 'Warning' else 'Info' end as severity, null::text as category,
      to_jsonb(kind) as body, jsonb_strip_nulls(jsonb_build_object('corral.operation.id', 'flt_op_' || fleet_operation_id,
        'corral.device_operation.id', 'd_op_' || device_operation_id, 'corral.actor', actor, 'corral.data', data)) || coalesce((
          select jsonb_strip_nulls(jsonb_build_object('corral.step.error', s.error, 'corral.step.log', to_jsonb(s.log[cardinality(s.log) - ${sql.lit(logTail - 1)}:])))
          from device_operation_steps s where operation_events.kind in ('Failed', 'TimedOut') and s.device_operation_id = operation_events.device_operation_id
            and s.status in ('Failed', 'TimedOut') order by s.step_index desc limit 1), '{}') as attributes,
      pg_column_size(data) + 200 as bytes, true as passes
    from operation_events where project_id = ${projectId} and position is not null`,
  connections: (projectId) => sql`
    select export_position as position, device_id as device, connection_id || '.begin' as id, device_id, connected_at as received_at, connected_at as emitted_at,
      'Info'::text as severity, null::text as category, '"Connected"'::jsonb as body,
      jsonb_strip_nulls(jsonb_build_object('corral.connection.id', 'd_conn_' || connection_id, 'client.address', address)) as attributes, 200 as bytes, true as passes
    from device_connections where export_project = ${projectId} and export_position is not null
    union all
    select export_end_position, device_id, connection_id || '.end', device_id, ended_at, ended_at, 'Info', null, '"Disconnected"',
      jsonb_strip_nulls(jsonb_build_object('corral.connection.id', 'd_conn_' || connection_id, 'corral.connection.end_reason', end_reason,
        'corral.connection.end_cause', end_cause, 'corral.connection.end_detail', end_detail)), 200, true
    from device_connections where export_project = ${projectId} and export_end_position is not null`,
};

const { choices: allSeverities = [] } = eventFields.named['severity'] ?? {};

/** SQL for the records of a stream after a cursor that can be exported by now, in their order. */
export function recordsAfter(
  { projectId, stream, minSeverity, filter }: Exported,
  { position, device, id }: OtlpCursor,
  { now, limit }: { readonly now: Date; readonly limit: number },
): RawBuilder<unknown> {
  const passes =
    stream === 'events' ? eventFilterSql(filter ?? undefined, now, projectEventFields) : sql<boolean>`true`;
  const severities = allSeverities.slice(allSeverities.indexOf(minSeverity ?? 'Trace'));
  return sql`
    select position, device, id, device_id, received_at, emitted_at, severity, category, body, attributes, bytes,
      passes and severity = any(${severities}::text[]) as passes
    from (${sources[stream](sql<string>`${projectId}::text`, passes)}) as source
    where (position, device, id) > (${position}::bigint, ${device}::text, ${id}::text) and position < ${horizon}
    order by position, device, id limit ${limit}`;
}

/** SQL for whether a stream has records after its cursor. `s` is the row of `otlp_streams`. */
export const hasRecords = sql<boolean>`case s.stream ${sql.join(
  Object.entries(sources).map(
    ([stream, source]) => sql`when ${sql.lit(stream)} then exists (
      select 1 from (${source(sql<string>`s.project_id`, sql<boolean>`true`)}) as source
      where (position, device, id) > (s.cursor_position, s.cursor_device, s.cursor_id) and position < ${horizon})`,
  ),
  sql` `,
)} else false end`;
