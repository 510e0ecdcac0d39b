import type { Actor, Json, WebhookFormat } from '@corral/contract';
import type { Generated } from 'kysely';
import type { JsonColumn, TimestampColumn } from './tables.ts';

interface Webhooks {
  webhook_id: string;
  project_id: string;
  name: string;
  url: string;
  /** Names of events, or beginnings of names with a star. */
  types: string[];
  format: Generated<WebhookFormat>;
  sealed: Buffer;
  sealed_under: string;
  former_sealed: Buffer | null;
  former_sealed_under: string | null;
  former_until: TimestampColumn | null;
  disabled: 'ByOwner' | 'ByReceiver' | 'Failing' | null;
  failing_since: TimestampColumn | null;
  last_accepted_at: TimestampColumn | null;
  last_error: string | null;
  created_by: JsonColumn<Actor>;
  created_at: TimestampColumn;
}

interface WebhookMessages {
  webhook_id: string;
  /** That of the event. */
  message_id: string;
  type: string;
  data: JsonColumn<Json>;
  happened_at: TimestampColumn;
  attempts: Generated<number>;
  /** Null: it was accepted, or nothing more is tried. */
  next_attempt_at: TimestampColumn | null;
  is_accepted: Generated<boolean>;
  last_attempt_at: TimestampColumn | null;
  http_status: number | null;
  duration_ms: number | null;
  last_error: string | null;
}

/** The tables of webhooks. */
export interface WebhookTables {
  webhooks: Webhooks;
  webhook_messages: WebhookMessages;
}
