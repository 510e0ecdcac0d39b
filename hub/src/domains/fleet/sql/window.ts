import { nextWindow } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { isWindowOpen, type Turn } from '../../operations/index.ts';
import type { LockedOperation } from './locks.ts';

type Window = ReturnType<typeof nextWindow>;

/** SQL that sets the window of an operation; the driver sets the next one after it has closed. */
export function windowSql(window: Window | undefined): RawBuilder<unknown> {
  return sql`window_opens_at = ${window?.opensAt ?? null}, window_closes_at = ${window?.closesAt ?? null}`;
}

/** Whether the window of an operation that is locked is open, or it has none; after one has closed it finds the next one. */
export async function isInItsWindow(turn: Turn, operation: LockedOperation): Promise<boolean> {
  const { operationId, definition, closesAt } = operation;
  const { tx, now } = turn;
  if (definition.window === undefined) return true;
  if (closesAt !== null && now.getTime() < Date.parse(closesAt)) return isWindowOpen(turn, operation);
  const next = nextWindow(definition.window, now);
  await sql`update fleet_operations set ${windowSql(next)} where fleet_operation_id = ${operationId}`.execute(
    tx,
  );
  return next.opensAt <= now;
}
