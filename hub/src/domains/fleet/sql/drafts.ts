import { ActionError, type Actor } from '@corral/contract';
import { sql } from 'kysely';
import { newRawId } from '../../../auth/random.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { defaults, type Definition, type GivenDefinition } from './definition.ts';
import { findEligible, type Plan } from './eligibility.ts';
import { hashSql } from './preview.ts';
import type { Scope } from './selection.ts';

/** A draft that is to be made. */
export interface NewDraft {
  readonly given: GivenDefinition;
  readonly definition: Definition;
  readonly plan: Plan;
  readonly actor: Actor;
  /** Of the preview that it was decided by. */
  readonly previewHash: string | undefined;
}

/** Makes a draft and returns its raw id. Of too many drafts of a project the oldest is deleted. */
export async function createDraft(tx: Database, draft: NewDraft, scope: Scope): Promise<string> {
  const { given, definition, plan, actor, previewHash } = draft;
  const { projectId, now } = scope;
  const operationId = newRawId();
  // Of two at the same time the second one counts what the first one has made.
  await sql`select 1 from projects where project_id = ${projectId} for no key update`.execute(tx);
  await sql`
    delete from fleet_operations where fleet_operation_id in (
      select fleet_operation_id from fleet_operations where project_id = ${projectId} and status = 'Draft'
      order by created_at desc, fleet_operation_id desc offset ${amounts.draftOperations.max - 1})`.execute(
    tx,
  );
  await sql`
    insert into fleet_operations (fleet_operation_id, project_id, name, description, status, definition, steps,
      enrollment_interval_secs, close_when_converged, max_in_flight, pause_on_failure_percent, deliver_within_secs, preview_hash,
      installs_version, installs_package, created_by, created_at)
    values (${operationId}, ${projectId}, ${given.name}, ${given.description ?? null}, 'Draft',
      ${JSON.stringify(definition)}::jsonb, ${JSON.stringify(plan.steps)}::jsonb, ${given.enrollmentIntervalSecs ?? null},
      ${given.closeWhenConverged ?? true}, ${given.maxInFlight ?? defaults.maxInFlight},
      ${given.pauseOnFailurePercent ?? defaults.pauseOnFailurePercent},
      ${given.deliverWithinSecs ?? defaults.deliverWithinSecs}, ${previewHash ?? null}, ${plan.version?.versionId ?? null}, ${plan.version?.packageId ?? null},
      ${JSON.stringify(actor)}::jsonb, ${now})`.execute(tx);
  if (previewHash !== undefined) await keepPreview(tx, operationId, plan, previewHash, scope);
  return operationId;
}

/** Keeps which devices the preview found, so that a start can say what has changed. */
async function keepPreview(
  tx: Database,
  operationId: string,
  plan: Plan,
  previewHash: string,
  scope: Scope,
): Promise<void> {
  const { matched } = await findEligible(tx, plan, scope);
  const { rows } = await sql`
    with e as materialized (select m.device_id from (${matched}) as m where m.reason is null),
    hashed as (select ${hashSql(plan.steps)} as hash from e)
    update fleet_operations f set previewed_devices = array(select device_id from e order by device_id)
    from hashed where f.fleet_operation_id = ${operationId} and hashed.hash = ${previewHash} returning 1`.execute(
    tx,
  );
  if (rows.length === 0)
    throw new ActionError(
      'Invalid',
      'The devices or the steps are no longer those of the preview. Look at the preview again.',
    );
}

/** The definition as it is stored. */
export function definitionOf({ selector, stages, install, window }: GivenDefinition): Definition {
  return {
    selector,
    stages,
    ...(install === undefined ? {} : { install }),
    ...(window === undefined ? {} : { window }),
  };
}
