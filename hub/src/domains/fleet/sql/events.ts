import type { Actor, Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** Something that happened in an operation; ids are raw. */
export interface OperationEvent {
  readonly projectId: string;
  readonly operationId: string;
  readonly at: Date;
  readonly kind: string;
  /** Undefined for what the hub did by itself. */
  readonly actor?: Actor;
  readonly data?: Readonly<Record<string, Json>>;
}

/** Keeps an event of an operation. */
export async function recordEvent(
  tx: Database,
  { projectId, operationId, at, kind, actor, data }: OperationEvent,
): Promise<void> {
  await sql`
    insert into operation_events (project_id, fleet_operation_id, at, kind, actor, data)
    values (${projectId}, ${operationId}, ${at}, ${kind}, ${actor === undefined ? null : JSON.stringify(actor)}::jsonb,
      ${JSON.stringify(data ?? {})}::jsonb)`.execute(tx);
}
