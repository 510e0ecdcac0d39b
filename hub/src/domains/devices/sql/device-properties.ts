import type { Actor, Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { metadataBytes, propertyBytes, storedBytes } from './device-bytes.ts';
import { quotaSql } from '../../../platform/db/quota-sql.ts';
import { readDeviceQuota } from '../../instance/index.ts';
import { listOrder, sortKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import type { CutRows } from '../../../platform/db/paging/read-page.ts';
import { readWithinBytes } from '../../../platform/db/paging/read-within-bytes.ts';
import { isShownInLists } from './known-properties.ts';
import { noteChange } from './property-changes.ts';
import { lastVersion } from './removed-properties.ts';

/** A property as it is about to be written. */
export interface PropertyChange {
  /** The raw id of the device. */
  readonly deviceId: string;
  readonly name: string;
  /** The value as JSON text. */
  readonly value: string;
  /** Whether the device may only read it; undefined keeps the current value, and leaves a new property writable. */
  readonly isProtected: boolean | undefined;
  readonly byDevice: boolean;
  readonly actor: Actor;
}

/** The properties and the metadata of the device would have more bytes than they may. */
export interface OverQuota {
  readonly quotaBytes: number;
}

/** The outcome of a write: all but `Written` wrote nothing; `Full` is too many properties. */
export type PropertyOutcome = 'Written' | 'Protected' | 'Full' | OverQuota;

/** The outcome of a write to an expected version: the current version where it is another, `Absent` where there is no property. */
export type ConditionalOutcome =
  | 'Written'
  | 'Protected'
  | 'Absent'
  | OverQuota
  | { readonly currentVersion: number };

/** Locks a device until the transaction ends, which serializes the creation and removal of its properties. */
export async function lockDevice(tx: Database, deviceId: string): Promise<void> {
  await sql`select 1 from devices where device_id = ${deviceId} for no key update`.execute(tx);
}

/** Locks devices as `lockDevice` does, all in one order. */
export async function lockDevices(tx: Database, deviceIds: readonly string[]): Promise<void> {
  await sql`
    select 1 from devices where device_id = any(${[...deviceIds]}) order by device_id for no key update`.execute(
    tx,
  );
}

/** What lists show of the properties of a device: the trigger copy_shown_properties copies it to the row of the device. */
export interface ListedFields {
  readonly hostname: string | null;
  readonly health: string | null;
}

/** Reads what lists show of the properties of a device; undefined where they show nothing of the named property. */
export async function readListedFields(
  tx: Database,
  deviceId: string,
  name: string,
): Promise<ListedFields | undefined> {
  if (!isShownInLists(name)) return undefined;
  return tx
    .selectFrom('devices')
    .select(['hostname', 'health'])
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
}

/** SQL for whether a value fits the quota of its device, beside the metadata and the other properties. In a transaction that has locked the device nobody else can take the room. */
function fits({ deviceId, name }: PropertyChange, sizeBytes: number): RawBuilder<boolean> {
  return sql<boolean>`(${sizeBytes} + ${metadataBytes(deviceId)} + ${propertyBytes(deviceId, name)} <= ${quotaSql('devicePropertyBytes')})`;
}

/** Writes a property, in one statement where there is one already that is not much smaller. */
export async function writeProperty(
  tx: Database,
  change: PropertyChange,
  maxProperties: number,
  now: Date,
): Promise<PropertyOutcome> {
  // The trigger copy_shown_properties copies these to the device, which is locked before its properties, as whoever removes a property does.
  const isLocked = isShownInLists(change.name);
  if (isLocked) await lockDevice(tx, change.deviceId);
  if (await overwrite(tx, change, isLocked, now)) return 'Written';
  if (!isLocked) await lockDevice(tx, change.deviceId);
  const { deviceId, name, value, isProtected, byDevice } = change;
  const sizeBytes = Buffer.byteLength(value);
  const { rows } = await sql<{ isWritten: boolean; isProtected: boolean; fits: boolean; quotaBytes: number }>`
    with known as (
      select is_protected from device_properties where device_id = ${deviceId} and name = ${name}
    ), before as (
      select value from device_properties where device_id = ${deviceId} and name = ${name}
    ), written as (
      insert into device_properties (device_id, name, value, is_protected, version, updated_at, size_bytes)
      select ${deviceId}, ${name}, ${value}::jsonb, ${isProtected ?? false}, ${lastVersion(deviceId, name)} + 1, ${now}, ${sizeBytes}
      where (exists (select 1 from known)
        or (select count(*) from device_properties where device_id = ${deviceId}) < ${maxProperties})
        and ${fits(change, sizeBytes)}
      on conflict (device_id, name) do update set value = excluded.value, size_bytes = excluded.size_bytes, version = device_properties.version + 1,
        is_protected = coalesce(${isProtected ?? null}, device_properties.is_protected), updated_at = excluded.updated_at
        where not (${byDevice} and device_properties.is_protected)
      returning value
    ), ${noteChange({ ...change, now })}, recreated as (
      delete from removed_device_properties where device_id = ${deviceId} and name = ${name} and exists (select 1 from written)
    )
    select exists (select 1 from written) as "isWritten", coalesce((select is_protected from known), false) as "isProtected",
      ${fits(change, sizeBytes)} as fits, ${quotaSql('devicePropertyBytes')} as "quotaBytes"`.execute(tx);
  const [outcome] = rows;
  if (outcome === undefined || outcome.isWritten) return 'Written';
  if (byDevice && outcome.isProtected) return 'Protected';
  return outcome.fits ? 'Full' : { quotaBytes: outcome.quotaBytes };
}

/** Writes a property only if it has the expected version; the device and its row are locked first. */
export async function writePropertyVersion(
  tx: Database,
  change: PropertyChange,
  expectedVersion: number,
  now: Date,
): Promise<ConditionalOutcome> {
  await lockDevice(tx, change.deviceId);
  const found = await tx
    .selectFrom('device_properties')
    .select(['version', 'is_protected'])
    .where('device_id', '=', change.deviceId)
    .where('name', '=', change.name)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) return 'Absent';
  if (change.byDevice && found.is_protected) return 'Protected';
  if (found.version !== expectedVersion) return { currentVersion: found.version };
  if (await overwrite(tx, change, true, now)) return 'Written';
  return { quotaBytes: await readDeviceQuota(tx, 'devicePropertyBytes') };
}

/** By how many bytes a value may grow without a lock of its device, as most do when they grow at all. So each write at the same time may exceed the quota by as many. */
const smallGrowthBytes = 1024;

/** Writes a property that exists: a much larger value only to a locked device, so that two at the same time do not exceed the quota together. */
async function overwrite(
  tx: Database,
  change: PropertyChange,
  isLocked: boolean,
  now: Date,
): Promise<boolean> {
  const { deviceId, name, value, isProtected, byDevice } = change;
  const sizeBytes = Buffer.byteLength(value);
  const mayGrow = isLocked ? sql`true` : sql`${sizeBytes} <= ${storedBytes} + ${smallGrowthBytes}`;
  const { rows } = await sql`
    with before as (
      select value from device_properties where device_id = ${deviceId} and name = ${name}
    ), written as (
      update device_properties set value = ${value}::jsonb, size_bytes = ${sizeBytes}, version = version + 1,
        is_protected = coalesce(${isProtected ?? null}, is_protected), updated_at = ${now}
      where device_id = ${deviceId} and name = ${name} and not (${byDevice} and is_protected)
        and (${sizeBytes} <= ${storedBytes} or (${mayGrow} and ${fits(change, sizeBytes)}))
      returning value
    ), ${noteChange({ ...change, now })}
    select 1 from written`.execute(tx);
  return rows.length > 0;
}

/** A property as it is stored. */
export interface PropertyRow {
  readonly name: string;
  readonly value: Json;
  readonly is_protected: boolean;
  readonly version: number;
  readonly updated_at: string;
}

/** A property with its value as JSON text. */
export type UnparsedPropertyRow = Omit<PropertyRow, 'value'> & { readonly value: string };

/** The properties of a device, by name; a value may have 256 KiB, that of the commands 4 MiB. */
export const propertiesByName = listOrder<UnparsedPropertyRow>(
  'devices_QueryDeviceProperties',
  'asc',
  [sortKey('name', 'text')],
  { maxBatchRows: 32 },
);

/** Reads a slice of the properties of a device, by its raw id, as far as their values fit on the page. */
export function readProperties(
  tx: Database,
  deviceId: string,
  slice: Slice,
): Promise<CutRows<UnparsedPropertyRow>> {
  return readWithinBytes(tx, slice, {
    rows: sql`select * from device_properties where device_id = ${deviceId} and ${slice.follows} ${slice.orderAndLimit}`,
    documents: ['value'],
    columns: ['name', 'is_protected', 'version', 'updated_at'],
  });
}

/** Reads one property of a device, by its raw id, without parsing its value. */
export function readUnparsedProperty(
  tx: Database,
  deviceId: string,
  name: string,
): Promise<UnparsedPropertyRow | undefined> {
  return tx
    .selectFrom('device_properties')
    .select(['name', 'is_protected', 'version', 'updated_at', sql<string>`value::text`.as('value')])
    .where('device_id', '=', deviceId)
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Reads some properties of a device, by its raw id, without parsing their values. */
export function readPropertiesNamed(
  tx: Database,
  deviceId: string,
  names: readonly string[],
): Promise<UnparsedPropertyRow[]> {
  return tx
    .selectFrom('device_properties')
    .select(['name', 'is_protected', 'version', 'updated_at', sql<string>`value::text`.as('value')])
    .where('device_id', '=', deviceId)
    .where('name', 'in', names)
    .execute();
}

/** The output of a property. */
export function toPropertyOutput({ name, value, is_protected, version, updated_at }: PropertyRow) {
  return { name, value, protected: is_protected, version, lastUpdated: updated_at };
}
