import type {
  Actor,
  AlertChannels,
  AlertCondition,
  AlertEnd,
  AlertSeverity,
  AlertState,
  Json,
  MaintenanceWindow,
} from '@corral/contract';
import type { Generated } from 'kysely';
import type { JsonColumn, TimestampColumn } from './tables.ts';

interface AlertRules {
  rule_id: string;
  /** Null: a rule of the instance. */
  project_id: string | null;
  name: string;
  condition: JsonColumn<AlertCondition>;
  severity: AlertSeverity;
  channels: JsonColumn<AlertChannels>;
  remind_secs: number | null;
  quiet_hours: JsonColumn<MaintenanceWindow> | null;
  is_enabled: Generated<boolean>;
  created_by: JsonColumn<Actor>;
  created_at: TimestampColumn;
  looked_at: TimestampColumn | null;
  next_look_at: TimestampColumn;
  /** Up to which events a rule about events has looked. */
  cursor: JsonColumn | null;
  /** Why it cannot look, as a sentence. */
  problem: string | null;
  told_at: TimestampColumn | null;
  /** How many alerts the last message was about. */
  told_count: Generated<number>;
}

interface Alerts {
  alert_id: string;
  rule_id: string;
  /** The raw id of the device or of the operation, the name of a quota, disk, job or node, or empty for the rule as a whole. */
  subject: string;
  /** Of when it began. */
  subject_name: string;
  state: AlertState;
  since: TimestampColumn;
  /** When one that is pending fires. Later than `since` says where no hub could see devices meanwhile. */
  fires_at: Generated<TimestampColumn>;
  fired_at: TimestampColumn | null;
  acknowledged_at: TimestampColumn | null;
  acknowledged_by: JsonColumn<Actor> | null;
  ended_at: TimestampColumn | null;
  end_reason: AlertEnd | null;
  /** How often it came back within ten minutes. */
  flaps: Generated<number>;
  /** Since when it is not so any more, while it has not ended. */
  good_since: TimestampColumn | null;
  /** What nobody was told yet. */
  to_tell: 'Fired' | 'Ended' | null;
  /** Whether somebody was told that it fires. */
  is_told: Generated<boolean>;
  reminded_at: TimestampColumn | null;
}

/** What is not told; exactly one of `until` and `daily_window` is set. */
interface AlertMutes {
  mute_id: string;
  project_id: string | null;
  rule_id: string | null;
  device_id: string | null;
  filter: string | null;
  until: TimestampColumn | null;
  daily_window: JsonColumn<MaintenanceWindow> | null;
  reason: string | null;
  created_by: JsonColumn<Actor>;
  created_at: TimestampColumn;
}

/** Who wants no e-mails of a rule. */
interface AlertUnsubscriptions {
  rule_id: string;
  user_id: string;
}

/** One row: whether hubs look after rules. */
interface AlertWatch {
  is_only: Generated<boolean>;
  /** When a hub last did. */
  watched_at: TimestampColumn;
  /** When one began to after none had. */
  resumed_at: TimestampColumn | null;
}

/** What queued e-mails say of alerts; the data of messages of webhooks alike. */
export type AlertMessage = { readonly [field: string]: Json };

/** The tables of alerts. */
export interface AlertTables {
  alert_rules: AlertRules;
  alerts: Alerts;
  alert_mutes: AlertMutes;
  alert_unsubscriptions: AlertUnsubscriptions;
  alert_watch: AlertWatch;
}
