import { ActionError, ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Definition } from './definition.ts';
import { findEligible, type Eligibility, type Plan } from './eligibility.ts';
import type { LockedOperation } from './locks.ts';
import { findInstallable } from './recipes.ts';
import type { Scope } from './selection.ts';
import { readUndone, undoableDevices, type Undone } from './undo.ts';

/** What a draft asks of devices, and on which it would run. */
interface DraftSelection extends Eligibility {
  readonly plan: Plan;
  /** The operation that it takes back. */
  readonly undone: Undone | undefined;
}

/** Selects the devices on which a draft would run now; of one that takes another one back, those that still have something of it. */
export async function selectForDraft(
  tx: Database,
  operation: LockedOperation,
  scope: Scope,
): Promise<DraftSelection> {
  const plan = await storedPlan(tx, operation);
  const { matched, errors } = await findEligible(tx, plan, scope);
  const { undoes } = operation.definition;
  if (undoes === undefined) return { plan, undone: undefined, matched, errors };
  const undone = await findUndone(tx, operation.projectId, undoes);
  return { plan, undone, matched: withUndoable(matched, undone), errors };
}

function withUndoable(matched: RawBuilder<unknown>, undone: Undone): RawBuilder<unknown> {
  return sql`
    select m.device_id, m.name, m.is_connected, m.is_busy, m.from_version,
      case when m.reason is null and m.device_id not in (${undoableDevices(undone)}) then 'Has been changed since' else m.reason end as reason
    from (${matched}) as m`;
}

/** What a stored operation asks of devices; its steps were made when it was created. */
export async function storedPlan(
  tx: Database,
  { projectId, definition, steps }: LockedOperation,
): Promise<Plan> {
  const { selector, install } = definition;
  const version =
    install === undefined
      ? undefined
      : await findInstallable(tx, projectId, ids.packageVersion.raw(install.versionId));
  if (install !== undefined && version === undefined)
    throw new ActionError('Invalid', 'The version is deleted, or the devices can no longer fetch it.');
  return { selector, steps, version };
}

async function findUndone(tx: Database, projectId: string, operationId: string): Promise<Undone> {
  const { rows } = await sql<{ definition: Definition }>`
    select definition from fleet_operations where fleet_operation_id = ${operationId}`.execute(tx);
  const definition = rows[0]?.definition;
  if (definition === undefined)
    throw new ActionError('Invalid', 'The operation that this would undo is deleted.');
  return readUndone(tx, { operationId, projectId, definition });
}
