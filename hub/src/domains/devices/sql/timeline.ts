import type { Actor, Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { listOrder, sortKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { firedOfDevice } from '../../alerts/index.ts';
import { pastConnectionColumns } from './connection-history.ts';

/** What an entry of a timeline tells. */
export type TimelineSource =
  | 'Created'
  | 'Connected'
  | 'Ended'
  | 'Refused'
  | 'Certificate'
  | 'Event'
  | 'Property'
  | 'Operation'
  | 'Fired'
  | 'Resolved'
  | 'Audit';

/** A row of any table that a timeline is made of. */
export interface TimelineRow {
  readonly at: string;
  /** The source and the raw id; unique. */
  readonly key: string;
  readonly source: TimelineSource;
  readonly until: string | null;
  readonly actor: Actor | null;
  readonly data: Record<string, Json>;
}

/** What happened to a device, newest first. */
export const timelineNewestFirst = listOrder<TimelineRow>(
  'devices_QueryTimeline',
  'desc',
  [sortKey('at', 'timestamptz'), sortKey('key', 'text', sql`key collate "C"`)],
  { defaultRows: 50, maxRows: 500, firstBatchRows: 50 },
);

/** Larger documents are not part of the entries. */
const maxDocumentBytes = 4096;
const small = (document: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when pg_column_size(${document}) <= ${sql.raw(String(maxDocumentBytes))} then ${document} end`;

/** Where a branch of the union begins: how it is read newest first, by an index. */
interface Branch {
  readonly source: TimelineSource;
  readonly at: RawBuilder<unknown>;
  readonly id: RawBuilder<string>;
  readonly until?: RawBuilder<unknown>;
  readonly actor?: RawBuilder<unknown>;
  readonly data: RawBuilder<unknown>;
  readonly from: RawBuilder<unknown>;
}

function branchesOf(deviceId: string, now: Date): Branch[] {
  return [
    ...connectionBranches(deviceId, now),
    ...identityBranches(deviceId),
    ...reportBranches(deviceId, now),
    operationBranch(deviceId),
    ...alertBranches(deviceId),
  ];
}

function connectionBranches(deviceId: string, now: Date): Branch[] {
  const connections = sql`device_connections c left join cluster_nodes n using (node_id) where c.device_id = ${deviceId}`;
  const connection = sql`'connection', c.connection_id, 'node', c.node_id, 'nodeName', n.name, 'address', c.address`;
  const { endedAt, endReason } = pastConnectionColumns(now);
  return [
    {
      source: 'Connected',
      at: sql`c.connected_at`,
      id: sql`c.connection_id`,
      data: sql`jsonb_build_object(${connection})`,
      from: connections,
    },
    {
      source: 'Ended',
      at: endedAt,
      id: sql`c.connection_id`,
      data: sql`jsonb_build_object(${connection}, 'reason', ${endReason}, 'cause', c.end_cause, 'said', c.end_detail,
        'secs', extract(epoch from ${endedAt} - c.connected_at)::bigint)`,
      from: sql`${connections} and ${endedAt} is not null`,
    },
  ];
}

/** Who the device is to the hub. */
function identityBranches(deviceId: string): Branch[] {
  return [
    {
      source: 'Created',
      at: sql`created_at`,
      id: sql`device_id`,
      data: sql`'{}'::jsonb`,
      from: sql`devices where device_id = ${deviceId}`,
    },
    {
      source: 'Refused',
      at: sql`(a ->> 'last')::timestamptz`,
      id: sql`(a ->> 'first')`,
      data: sql`a`,
      from: sql`refused_arrivals r, jsonb_array_elements(r.arrivals) a where r.device_id = ${deviceId}`,
    },
    {
      source: 'Certificate',
      at: sql`created_at`,
      id: sql`certificate_id`,
      data: sql`jsonb_build_object('certificate', certificate_id, 'fingerprint', fingerprint, 'status', status, 'address', address)`,
      from: sql`device_certificates where device_id = ${deviceId}`,
    },
    {
      source: 'Audit',
      at: sql`a.created_at`,
      id: sql`a.event_id`,
      actor: sql`e.actor`,
      data: sql`jsonb_build_object('event', a.event_id, 'name', e.event, 'data', ${small(sql`e.data`)})`,
      from: sql`audit_event_entities a join audit_events e using (event_id) where a.entity_kind = 'device' and a.entity_id = ${deviceId}
        and e.event not in ('devices_Created', 'devices_CertificateAdded') and not e.event like 'devices\\_Operation%'`,
    },
  ];
}

/** What the device says. */
function reportBranches(deviceId: string, now: Date): Branch[] {
  return [
    {
      source: 'Event',
      at: sql`emitted_at`,
      id: sql`event_id`,
      data: sql`jsonb_build_object('event', event_id, 'severity', severity, 'category', category,
        'body', ${small(sql`body`)}, 'attributes', ${small(sql`attributes`)})`,
      from: sql`device_events where device_id = ${deviceId}`,
    },
    {
      source: 'Property',
      at: sql`changed_at`,
      id: sql`name`,
      until: sql`nullif(last_changed_at, changed_at)`,
      actor: sql`actor`,
      data: sql`jsonb_build_object('name', name, 'change', change, 'value', value, 'before', value_before)`,
      from: sql`device_property_changes where device_id = ${deviceId} and changed_at > ${now}::timestamptz - interval '90 days'`,
    },
  ];
}

/** What was run on the device, when it ended or, before, when it began. */
function operationBranch(deviceId: string): Branch {
  return {
    source: 'Operation',
    at: sql`coalesce(o.completed_at, o.started_at)`,
    id: sql`o.device_operation_id`,
    actor: sql`coalesce(o.created_by, f.created_by)`,
    data: sql`jsonb_build_object('operation', o.device_operation_id, 'name', o.name, 'status', o.status, 'error', o.last_error,
      'secs', extract(epoch from o.completed_at - o.started_at)::bigint)`,
    from: sql`device_operations o left join fleet_operations f using (fleet_operation_id)
      where o.device_id = ${deviceId} and o.started_at is not null`,
  };
}

/** The alerts about the device, when they fired and when they ended. */
function alertBranches(deviceId: string): Branch[] {
  const alert = {
    id: sql<string>`a.alert_id`,
    data: sql`jsonb_build_object('rule', r.rule_id, 'name', r.name, 'severity', r.severity, 'end', a.end_reason)`,
  };
  const fired = firedOfDevice(deviceId);
  return [
    { source: 'Fired', at: sql`a.fired_at`, from: fired, ...alert },
    { source: 'Resolved', at: sql`a.ended_at`, from: sql`${fired} and a.ended_at is not null`, ...alert },
  ];
}

/** Reads a slice of the timeline of a device, by its raw id, from the given sources; of each as many as the slice may have. */
export async function readTimeline(
  tx: Database,
  wanted: {
    readonly deviceId: string;
    readonly sources: readonly TimelineSource[];
    readonly before?: string | undefined;
  },
  slice: Slice,
  now: Date,
): Promise<TimelineRow[]> {
  const branches = branchesOf(wanted.deviceId, now).filter(({ source }) => wanted.sources.includes(source));
  const [lastAt, lastKey] = slice.position ?? [];
  const parts = branches.map(({ source, at, id, until, actor, data, from }) => {
    const key = sql`(${source} || ' ' || ${id}) collate "C"`;
    const follows =
      lastAt === undefined ? sql`` : sql`and (${at}, ${key}) < (${lastAt}::timestamptz, ${lastKey}::text)`;
    const isBefore = wanted.before === undefined ? sql`` : sql`and ${at} < ${wanted.before}::timestamptz`;
    return sql`(select ${at} as at, ${key} as key, ${source} as source, ${until ?? sql`null::timestamptz`} as until,
      ${actor ?? sql`null::jsonb`} as actor, ${data} as data from ${from} ${isBefore} ${follows}
      order by 1 desc, 2 desc limit ${slice.limit})`;
  });
  if (parts.length === 0) return [];
  const { rows } = await sql<TimelineRow>`
    select * from (${sql.join(parts, sql` union all `)}) as entry ${slice.orderAndLimit}`.execute(tx);
  return rows;
}

/** The most entries of a source that are counted. */
const maxCounted = 1_000;

/** Counts the entries of each source, up to 1,000. */
export async function countTimeline(
  tx: Database,
  deviceId: string,
  now: Date,
): Promise<ReadonlyMap<TimelineSource, number>> {
  const parts = branchesOf(deviceId, now).map(
    ({ source, from }) =>
      sql`select ${source} as source, (select count(*) from (select 1 from ${from} limit ${maxCounted}) as found)::int as count`,
  );
  const { rows } = await sql<{
    source: TimelineSource;
    count: number;
  }>`${sql.join(parts, sql` union all `)}`.execute(tx);
  return new Map(rows.map(({ source, count }) => [source, count]));
}
