import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { limitConcurrency } from '../../../platform/db/limit-concurrency.ts';
import { batch } from '../../../platform/db/batch.ts';
import type { ConnectionEndCause } from '../../../platform/db/device-tables.ts';
import { exportEnd } from '../../../platform/db/otlp-positions.ts';
import { planOnce } from '../../../platform/db/plan-once.ts';
import { liveConnection } from './presence.ts';

/** The end of a connection that is about to be recorded; raw ids. */
export interface ConnectionEnding {
  readonly connectionId: string;
  readonly reason: string;
  /** How the node saw it end. */
  readonly cause?: ConnectionEndCause | undefined;
  readonly detail?: string | undefined;
  readonly at: Date;
}

/** Whose connection ended; raw ids. */
export interface EndedConnection {
  readonly deviceId: string;
  readonly projectId: string;
  /** Whether another connection of the device lives on. */
  readonly isConnected: boolean;
}

/**
 * Ends a connection once; returns undefined for one that has already ended or was deleted. Concurrent calls share one transaction.
 */
export async function recordEnd(
  db: Database,
  ending: ConnectionEnding,
): Promise<EndedConnection | undefined> {
  // A connection whose device is locked gets a separate transaction, which waits for the lock.
  return (await endInBatch(db, ending)) ?? endAlone(db, ending);
}

const waitingAtOnce = 8;
const endAlone = limitConcurrency(waitingAtOnce, async (db, ending: ConnectionEnding) => {
  const [ended] = await endAll(db, [ending], true);
  return ended;
});

const endInBatch = batch((db, endings: readonly ConnectionEnding[]) => endAll(db, endings, false));

function endAll(
  db: Database,
  endings: readonly ConnectionEnding[],
  isWaiting: boolean,
): Promise<(EndedConnection | undefined)[]> {
  return db.transaction().execute(async (tx) => {
    const ended = await writeEnds(tx, endings, isWaiting);
    const connected = await connectedOf(tx, [...ended.values()], endings[0]?.at ?? new Date(0));
    return endings.map(({ connectionId }) => {
      const device = ended.get(connectionId);
      return device && { ...device, isConnected: connected.has(device.deviceId) };
    });
  });
}

type Device = Omit<EndedConnection, 'isConnected'>;

/** Locks the devices until the transaction ends; returns them by connection. */
async function writeEnds(
  tx: Database,
  endings: readonly ConnectionEnding[],
  isWaiting: boolean,
): Promise<Map<string, Device>> {
  const { rows } = await sql<Device & { connectionId: string }>`
    with device as materialized (
      select q.*, found.* from json_to_recordset(${JSON.stringify(endings)}::json)
        as q("connectionId" text, reason text, cause text, detail text, at timestamptz)
      cross join lateral (
        select d.device_id as "deviceId", d.project_id as "projectId"
        from devices d join device_connections c using (device_id)
        where c.connection_id = q."connectionId" and c.ended_at is null
        for no key update of d ${isWaiting ? sql`` : sql`skip locked`}
      ) as found
    ), ended as (
      update device_connections c set ended_at = device.at, end_reason = device.reason, end_cause = device.cause, end_detail = device.detail,
        ${exportEnd(sql`device."projectId"`)} from device
      where c.connection_id = device."connectionId" and c.ended_at is null
      returning c.connection_id
    )
    select "connectionId", "deviceId", "projectId" from device
      where "connectionId" in (select connection_id from ended)`.execute(tx);
  return new Map(rows.map(({ connectionId, ...device }) => [connectionId, device]));
}

/** A second statement, which runs with the locks of the first: of two concurrent ends the later one sees the earlier. */
async function connectedOf(tx: Database, devices: readonly Device[], now: Date): Promise<Set<string>> {
  if (devices.length === 0) return new Set();
  const { rows } = await sql<{ deviceId: string }>`
    select d.device_id as "deviceId" from devices d
    where d.device_id = any(${planOnce(
      devices.map(({ deviceId }) => deviceId),
      'text',
    )}) and ${liveConnection(now)}`.execute(tx);
  return new Set(rows.map(({ deviceId }) => deviceId));
}
