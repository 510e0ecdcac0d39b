import type { ColumnType, Generated } from 'kysely';
import type { JsonColumn, TimestampColumn } from './tables.ts';

interface ClusterNodes {
  node_id: string;
  name: string | null;
  joined_at: TimestampColumn;
  /** The node may write until then; heartbeats renew it. */
  lease_until: TimestampColumn;
  last_heartbeat_at: TimestampColumn;
  /** Of the hub; null for nodes of older hubs. */
  version: Generated<string | null>;
  /** Whether the node reaches the message server; null without one. */
  message_bus: Generated<'Connected' | 'Disconnected' | null>;
  /** The name in the certificate for other nodes, and the host and port for them; null where there are no others. */
  peer_name: Generated<string | null>;
  peer_address: Generated<string | null>;
  /** What its configuration sets of what all nodes should have alike; null for nodes of older hubs. */
  settings: JsonColumn | null;
  /** Of the process of the hub; null for nodes of older hubs, as the next. */
  memory_bytes: ColumnType<number | null, number | null | undefined, number | null>;
  /** The load average of its machine over a minute. */
  load: ColumnType<number | null, number | null | undefined, number | null>;
  /** Of its machine; null for nodes of older hubs, as the next. */
  cores: ColumnType<number | null, number | null | undefined, number | null>;
  /** What its process could have at most. */
  machine_memory_bytes: ColumnType<number | null, number | null | undefined, number | null>;
  /** How full the disk of its data folder is; null where it does not know. */
  disk_percent: Generated<number | null>;
}

/** Committed events that have not been published to the bus yet. */
interface EventOutbox {
  event_id: string;
  event: JsonColumn;
  created_at: TimestampColumn;
}

/** One row. */
interface EventBusState {
  is_only: Generated<boolean>;
  /** The id of this instance, by which several instances share a message server. */
  instance_id: string;
  /** How often a node could not tell the others what it had changed. */
  missed: Generated<number>;
}

/** The tables of the nodes and of the events between them. */
export interface ClusterTables {
  cluster_nodes: ClusterNodes;
  event_outbox: EventOutbox;
  event_bus: EventBusState;
}
