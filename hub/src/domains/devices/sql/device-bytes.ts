import { sql, type RawBuilder } from 'kysely';

/** SQL for the size of the value of a property as JSON, in a statement that reads `device_properties`. */
export const storedBytes = sql<number>`coalesce(size_bytes, octet_length(value::text))`;

/** SQL for the bytes of the properties of a device, by its raw id or SQL of it, without the named one. */
export function propertyBytes(
  deviceId: string | RawBuilder<unknown>,
  exceptName?: string,
): RawBuilder<number> {
  const others = exceptName === undefined ? sql`` : sql`and name <> ${exceptName}`;
  return sql<number>`(
    select coalesce(sum(${storedBytes}), 0)::bigint from device_properties where device_id = ${deviceId} ${others})`;
}

/** SQL for the bytes of the metadata of a device, by its raw id. It is measured when it is written, so that it need not be read. */
export function metadataBytes(deviceId: string): RawBuilder<number> {
  return sql<number>`coalesce((
    select coalesce(metadata_bytes, metadata_size(metadata)) from devices where device_id = ${deviceId}), 0)`;
}
