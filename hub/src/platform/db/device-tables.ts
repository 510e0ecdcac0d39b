import type { DeviceCertificateStatus, DeviceEventSeverity, Json } from '@corral/contract';
import type { ColumnType, Generated } from 'kysely';
import type { JsonColumn, TimestampColumn } from './tables.ts';

/** Open connections of devices that have several; at most one open connection of a device is not listed. Written by the triggers note_added_connections, note_ended_connections and subtract_deleted_connection. */
interface AdditionalConnections {
  connection_id: string;
  device_id: string;
}

interface Devices {
  device_id: string;
  project_id: string;
  fingerprint_id: string;
  fingerprint_hash: Buffer;
  /** The token that enrolled the device, which may be deleted; null if it was created by a user. */
  enrolled_by: string | null;
  name: string | null;
  metadata: JsonColumn<Record<string, Json>>;
  created_at: TimestampColumn;
  /** Versions of new properties begin after this number. */
  property_version_floor: Generated<number>;
  /** From its properties, for lists; written by the trigger copy_shown_properties. */
  hostname: Generated<string | null>;
  health: Generated<string | null>;
  /** The connection that was recorded last, whatever the clock said; written by the trigger note_added_connections. */
  newest_connection: ColumnType<string | null, never, never>;
  /** Written, as the next two, by the triggers note_added_connections and note_ended_connections. */
  last_connected_at: ColumnType<string | null, never, never>;
  /** When it connected, or a connection ended; later of the two. */
  last_seen_at: ColumnType<string | null, never, never>;
  /** The node of an open connection; of several the newest, whether or not it is alive. */
  open_node: Generated<string | null>;
  /** How many of its certificates are pending; written by the trigger count_pending_certificates. */
  pending_certificates: ColumnType<number, never, never>;
  /** The size of the metadata as JSON; null for devices from before, whose metadata is small. */
  metadata_bytes: ColumnType<number | null, never, never>;
}

/** What searches of devices look for, as searched_texts makes it. Written by the triggers add_device_texts and change_device_texts. */
interface DeviceTexts {
  device_id: string;
  project_id: string;
  /** Id, name and host name in lower case, each after a separator. */
  texts: string;
}

/** Deleted devices that still have events. */
interface DeletedDevices {
  device_id: string;
}

/** Fingerprints, by lookup key, and certificates that were deleted from a project within 30 days. */
interface DeletedIdentities {
  project_id: string;
  identity: string;
  deleted_at: TimestampColumn;
}

interface DeviceCertificates {
  certificate_id: string;
  device_id: string;
  fingerprint: string;
  status: DeviceCertificateStatus;
  address: ColumnType<string | null, string | null | undefined, never>;
  /** The deployment token with which it arrived. */
  token_id: ColumnType<string | null, string | null | undefined, never>;
  created_at: TimestampColumn;
  /** When an active one ends; null for never. */
  ends_at: ColumnType<string | null, Date | null | undefined, Date | string | null>;
  /** The authority that issued it; null for a foreign one. */
  authority_id: Generated<string | null>;
}

interface DeviceConnections {
  connection_id: string;
  device_id: string;
  node_id: string;
  certificate_id: string | null;
  token_id: string | null;
  address: ColumnType<string | null, string | null | undefined, never>;
  connected_at: TimestampColumn;
  ended_at: TimestampColumn | null;
  end_reason: 'Unknown' | 'Disconnected' | 'NodeCrashed' | 'ServerShutdown' | null;
  /** How the node saw it end; null where no node did. */
  end_cause: ConnectionEndCause | null;
  /** What was said when it ended. */
  end_detail: string | null;
  /** As of events; the second position is that of its end. */
  export_project: ColumnType<string | null, never, never>;
  export_position: ColumnType<number | null, never, never>;
  export_end_position: ColumnType<number | null, never, never>;
}

/** How a connection ended: `Left` by a Close of the device, `Closed` by the hub, `Lost` without a word, `Silent` after 20 s without a byte. */
export type ConnectionEndCause = 'Left' | 'Closed' | 'Lost' | 'Silent' | 'Stalled' | 'Violation' | 'Failed';

/** The connections of a device that were refused: how many, and the newest ten, equal ones in a row as one. */
interface RefusedArrivals {
  device_id: string;
  count: number;
  arrivals: JsonColumn;
}

/** When a device that left was seen last, and from when on it is silent for longer than usual; null where too little is known of it. Valid while it has not come back. */
interface DeviceSilences {
  device_id: string;
  last_seen_at: TimestampColumn;
  silent_from: TimestampColumn | null;
}

/** How properties changed, for 90 days and at most 500 of a device. */
interface DevicePropertyChanges {
  device_id: string;
  changed_at: TimestampColumn;
  name: string;
  /** Later than `changed_at` where a later change was folded into this one. */
  last_changed_at: TimestampColumn;
  /** `Patched`: the value is the members of an object that changed. */
  change: 'Set' | 'Patched' | 'Removed';
  /** Null where it has more than 4 KiB. */
  value: JsonColumn | null;
  /** Of numbers, truth values and short texts. */
  value_before: JsonColumn | null;
  /** Null if the device did it. */
  actor: JsonColumn | null;
}

/** Host names of devices' web pages; a row outlives its device, so that no name is assigned twice. */
interface DeviceProxyHosts {
  label: string;
  device_id: string;
  port: number;
  is_chosen: boolean;
  created_at: TimestampColumn;
}

/** Tokens of the HTTP proxy that work once and have been used. */
interface RedeemedProxyTokens {
  token_id: string;
  expires_at: TimestampColumn;
}

interface DeviceProperties {
  device_id: string;
  name: string;
  value: JsonColumn;
  is_protected: boolean;
  version: Generated<number>;
  updated_at: TimestampColumn;
  /** The size of the value as JSON; null where an older hub wrote it. */
  size_bytes: ColumnType<number | null, number | null | undefined, number | null>;
}

/** What a device has sent on the last day that it sent events. */
interface DeviceEventDays {
  device_id: string;
  day: string;
  events: number;
  event_bytes: number;
}

/** Last versions of removed properties, from which a property continues when it is created again. */
/** What people set in the metadata of a device. */
interface DeviceLabels {
  device_id: string;
  labels: JsonColumn<Record<string, Json>>;
}

interface RemovedDeviceProperties {
  device_id: string;
  name: string;
  version: number;
  removed_at: TimestampColumn;
}

interface DeviceEvents {
  device_id: string;
  /** The year and month of emission as the event id carries it (202611): the partition key. */
  event_month: number;
  event_id: string;
  category: string | null;
  severity: DeviceEventSeverity;
  body: JsonColumn;
  attributes: JsonColumn<Record<string, Json>>;
  /** When it happened: the time of emission, or of receipt where `device_time` is set. */
  emitted_at: TimestampColumn;
  /** The time of emission that the device gave, where it lies more than five minutes from that of receipt. */
  device_time: ColumnType<string | null, string | null | undefined, string | null>;
  received_at: TimestampColumn;
  /** The project, where it exports events over OTLP, and then the number of the transaction that wrote the row. */
  export_project: ColumnType<string | null, string | null | undefined, string | null>;
  export_position: ColumnType<number | null, number | null | undefined, number | null>;
}

/** The tables of devices and of what they send. */
export interface DeviceTables {
  /** A view: those of `all_devices` whose project exists. */
  devices: Devices;
  /** Also the devices of deleted projects, until a job has deleted them. */
  all_devices: Devices;
  additional_connections: AdditionalConnections;
  device_texts: DeviceTexts;
  deleted_devices: DeletedDevices;
  deleted_identities: DeletedIdentities;
  device_certificates: DeviceCertificates;
  device_connections: DeviceConnections;
  device_proxy_hosts: DeviceProxyHosts;
  redeemed_proxy_tokens: RedeemedProxyTokens;
  device_properties: DeviceProperties;
  device_property_changes: DevicePropertyChanges;
  refused_arrivals: RefusedArrivals;
  device_silences: DeviceSilences;
  device_event_days: DeviceEventDays;
  removed_device_properties: RemovedDeviceProperties;
  device_labels: DeviceLabels;
  device_events: DeviceEvents;
}
