/** How many devices a project may have, and what a device may store, where the operator has set nothing else, by the key of the setting. */
export const deviceQuotas = {
  /** The devices of a project. */
  devicesPerProject: 200_000,
  /** The properties and the metadata of a device, in bytes of JSON. */
  devicePropertyBytes: 16 * 1024 * 1024,
  /** The events of a device within one day in UTC. */
  deviceEventsPerDay: 250_000,
  /** Body and attributes of these events, in bytes of JSON. */
  deviceEventBytesPerDay: 256 * 1024 * 1024,
} as const;

/** A setting for a quota of devices. */
export type DeviceQuota = keyof typeof deviceQuotas;

/** What one user may have and do, where the operator has set nothing else, by the key of the setting. */
export const userQuotas = {
  /** The projects and repositories that a user owns. */
  ownedPerUser: 500,
  /** The rows that the commands of a user add to the audit log within an hour. */
  recordedRowsPerHour: 100_000,
} as const;

/** A setting for a quota of users. */
export type UserQuota = keyof typeof userQuotas;
