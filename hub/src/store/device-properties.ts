import type { Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/** A property as it is about to be written. */
export interface PropertyChange {
  /** The raw id of the device. */
  readonly deviceId: string;
  readonly name: string;
  /** The value as JSON text. */
  readonly value: string;
  /** Whether the device may only read it; without a word a property stays as it is, and a new one is open. */
  readonly isProtected: boolean | undefined;
  readonly byDevice: boolean;
}

/** What came of a change: nothing is written where the device may not write it, or has no room for a new one. */
export type PropertyOutcome = 'Written' | 'Protected' | 'Full';

/** Writes a property in one statement. */
export async function writeProperty(
  tx: Database,
  change: PropertyChange,
  mostProperties: number,
  now: Date,
): Promise<PropertyOutcome> {
  const { deviceId, name, value, isProtected, byDevice } = change;
  const { rows } = await sql<{ isWritten: boolean; isKnown: boolean }>`
    with known as (
      select is_protected from device_properties where device_id = ${deviceId} and name = ${name}
    ), written as (
      insert into device_properties (device_id, name, value, is_protected, updated_at)
      select ${deviceId}, ${name}, ${value}::jsonb, ${isProtected ?? false}, ${now}
      where exists (select 1 from known)
        or (select count(*) from device_properties where device_id = ${deviceId}) < ${mostProperties}
      on conflict (device_id, name) do update set value = excluded.value, version = device_properties.version + 1,
        is_protected = coalesce(${isProtected ?? null}, device_properties.is_protected), updated_at = excluded.updated_at
        where not (${byDevice} and device_properties.is_protected)
      returning 1
    )
    select exists (select 1 from written) as "isWritten", exists (select 1 from known) as "isKnown"`.execute(
    tx,
  );
  if (rows[0]?.isWritten === true) return 'Written';
  return rows[0]?.isKnown === true ? 'Protected' : 'Full';
}

/** A property as it is stored. */
export interface PropertyRow {
  readonly name: string;
  readonly value: Json;
  readonly is_protected: boolean;
  readonly updated_at: string;
}

/** A property as it is answered. */
export function shownProperty(row: PropertyRow) {
  return { name: row.name, value: row.value, protected: row.is_protected, lastUpdated: row.updated_at };
}
