import { deviceQuotas } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { metadataBytes, propertyBytes } from './device-bytes.ts';
import { quotaSql } from '../db/quota-sql.ts';

/** What a device has stored, and its quotas. */
export interface DeviceUsage {
  /** Of the properties and the metadata. */
  readonly propertyBytes: number;
  readonly maxPropertyBytes: number;
  readonly eventsToday: number;
  readonly maxEventsPerDay: number;
  readonly eventBytesToday: number;
  readonly maxEventBytesPerDay: number;
}

const none: DeviceUsage = {
  propertyBytes: 0,
  maxPropertyBytes: deviceQuotas.devicePropertyBytes,
  eventsToday: 0,
  maxEventsPerDay: deviceQuotas.deviceEventsPerDay,
  eventBytesToday: 0,
  maxEventBytesPerDay: deviceQuotas.deviceEventBytesPerDay,
};

/** Reads what a device has stored, by its raw id. */
export async function readDeviceUsage(tx: Database, deviceId: string, now: Date): Promise<DeviceUsage> {
  const today = sql`device_event_days where device_id = ${deviceId} and day = ${now.toISOString().slice(0, 10)}::date`;
  const { rows } = await sql<DeviceUsage>`
    select ${metadataBytes(deviceId)} + ${propertyBytes(deviceId)} as "propertyBytes",
      ${quotaSql('devicePropertyBytes')} as "maxPropertyBytes",
      coalesce((select events from ${today}), 0) as "eventsToday",
      ${quotaSql('deviceEventsPerDay')} as "maxEventsPerDay",
      coalesce((select event_bytes from ${today}), 0) as "eventBytesToday",
      ${quotaSql('deviceEventBytesPerDay')} as "maxEventBytesPerDay"`.execute(tx);
  return rows[0] ?? none;
}
