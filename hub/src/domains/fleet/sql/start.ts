import { ActionError, nextWindow, type Actor } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { shownName } from '../../devices/index.ts';
import { mustBeApproved } from '../../projects/index.ts';
import { defaultStages, mostDevicesOfMembers } from './definition.ts';
import { selectForDraft } from './draft-selection.ts';
import type { Plan } from './eligibility.ts';
import { enrolDevices, keepSelectionErrors } from './enrolment.ts';
import { needsOwner, type LockedOperation } from './locks.ts';
import { hashSql } from './preview.ts';
import { addSecretPlaces, readSecretPlaces } from './manifests.ts';
import type { SelectionError } from './predicates.ts';
import type { Scope } from './selection.ts';
import { filledStages } from './stage-sizes.ts';
import { supersedeInstalls } from './supersede.ts';
import { windowSql } from './window.ts';
import { setUndoSteps } from './undo.ts';

/** Starts a draft that is locked: selects its devices and enrols them; the driver opens the first stage. Throws an `ActionError`, of kind Invalid where the selection differs from the preview. Returns how many devices it has. */
export async function startDraft(
  tx: Database,
  operation: LockedOperation,
  caller: Caller,
  scope: Scope,
): Promise<Started> {
  const { operationId, projectId, definition, previewHash } = operation;
  const { now } = scope;
  const { plan, undone, matched, errors } = await selectForDraft(tx, operation, scope);
  await addSecretPlaces(tx, operationId, await readSecretPlaces(tx, operation));
  const {
    count,
    hash,
    devices: found,
  } = await readEligible(tx, plan, sql`select m.device_id from (${matched}) as m where m.reason is null`);
  const eligible = sql`select jsonb_array_elements_text(${found}::jsonb) as device_id`;
  if (previewHash !== null && previewHash !== hash) throw await changedSelection(tx, operationId, eligible);
  if (count === 0 && operation.intervalSecs === null) throw await noDevice(tx, matched, errors);
  const isApproved = await mustBeAllowedToStart(tx, operation, caller, count);
  const stages =
    definition.stages.length > 0
      ? definition.stages
      : filledStages(defaultStages, count).map(({ stage }) => stage);
  // Late: others who make or start operations of the project wait behind its lock.
  await mustHaveRoom(tx, projectId);
  const devices = await enrolDevices(
    tx,
    { ...operation, stepCount: operation.steps.length, now },
    stages,
    eligible,
  );
  if (undone !== undefined) await setUndoSteps(tx, operationId, undone);
  if (plan.version !== undefined) await supersedeInstalls(tx, operation, plan.version.packageId, now);
  await keepSelectionErrors(tx, operationId, errors, now);
  await sql`
    update fleet_operations set status = 'Running', started_at = ${now}, resumed_at = ${now}, last_enrollment_at = ${now},
      next_enrollment_at = ${now}::timestamptz + make_interval(secs => enrollment_interval_secs),
      definition = ${JSON.stringify({ ...definition, stages })}::jsonb, previewed_devices = null, ${windowSql(definition.window && nextWindow(definition.window, now))}
    where fleet_operation_id = ${operationId}`.execute(tx);
  return { devices, isApproved };
}

/** Who starts an operation. */
interface Caller {
  readonly isOwner: boolean;
  readonly actor: Actor;
}

interface Started {
  readonly devices: number;
  /** Whether it was the approval that a policy of the project wants. */
  readonly isApproved: boolean;
}

async function mustBeAllowedToStart(
  tx: Database,
  { projectId, intervalSecs, createdBy, steps }: LockedOperation,
  caller: Caller,
  count: number,
): Promise<boolean> {
  const devices = intervalSecs === null ? count : Infinity;
  if (!caller.isOwner && devices > mostDevicesOfMembers) throw await needsOwner(tx, projectId);
  return mustBeApproved(tx, { ...caller, projectId }, createdBy, { devices, steps });
}

async function mustHaveRoom(tx: Database, projectId: string): Promise<void> {
  await sql`select 1 from projects where project_id = ${projectId} for no key update`.execute(tx);
  const { max } = amounts.unfinishedOperations;
  const { rows } = await sql`
    select 1 from fleet_operations where project_id = ${projectId} and status in ('Running', 'Paused') offset ${max - 1} limit 1`.execute(
    tx,
  );
  if (rows.length > 0)
    throw new ActionError(
      'Invalid',
      `At most ${max} operations of a project run or are paused. End some first.`,
    );
}

/** The devices, as a JSON array of raw ids: what is checked is what is enrolled. */
async function readEligible(tx: Database, plan: Plan, eligible: RawBuilder<unknown>) {
  const { rows } = await sql<{ count: number; hash: string; devices: string }>`
    with e as materialized (${eligible})
    select count(*) as count, ${hashSql(plan.steps)} as hash, coalesce(jsonb_agg(e.device_id), '[]')::text as devices from e`.execute(
    tx,
  );
  return rows[0] ?? { count: 0, hash: '', devices: '[]' };
}

const mostNamed = 3;
const mostReasons = 3;

interface Unfit {
  readonly reason: string;
  readonly count: number;
  readonly names: readonly string[];
}

/** Says why none of the selected devices can do what is asked. */
async function noDevice(
  tx: Database,
  matched: RawBuilder<unknown>,
  errors: readonly SelectionError[],
): Promise<ActionError> {
  const undecided = JSON.stringify(errors.map(({ deviceId }) => deviceId));
  const { rows } = await sql<Unfit>`
    with unfit as (
      select m.device_id, m.name, m.reason from (${matched}) as m where m.reason is not null
      union all select d.device_id, ${shownName} as name, 'A condition could not be decided' from devices d
        where d.device_id in (select jsonb_array_elements_text(${undecided}::jsonb))
    )
    select reason, count(*) as count, (array_agg(coalesce(name, 'd_' || device_id) order by name, device_id))[1:${sql.lit(mostNamed)}] as names
    from unfit group by reason order by count(*) desc, reason limit ${sql.lit(mostReasons)}`.execute(tx);
  const reasons = rows.map(
    ({ reason, count, names }) => `${reason} (${names.join(', ')}${count > mostNamed ? ' and others' : ''})`,
  );
  const why = reasons.length === 0 ? 'None is selected' : reasons.join('; ');
  return new ActionError(
    'Invalid',
    `There is no device on which this could run. ${why}. Nothing was started.`,
  );
}

interface Difference {
  readonly joined: number;
  readonly left: number;
  readonly joinedNames: readonly string[] | null;
  readonly leftNames: readonly string[] | null;
}

/** Says how the selection differs from that of the preview. */
async function changedSelection(
  tx: Database,
  operationId: string,
  eligible: RawBuilder<unknown>,
): Promise<ActionError> {
  const named = (devices: RawBuilder<unknown>) => sql`(
    select array_agg(coalesce(${shownName}, 'd_' || x.device_id)) from (select device_id from ${devices} order by 1 limit ${sql.lit(mostNamed)}) as x
    left join all_devices d using (device_id))`;
  const { rows } = await sql<Difference>`
    with e as materialized (${eligible}),
    before as materialized (
      select unnest(previewed_devices) as device_id from fleet_operations where fleet_operation_id = ${operationId}
    ),
    joined as materialized (select device_id from e except select device_id from before),
    gone as materialized (select device_id from before except select device_id from e)
    select (select count(*) from joined) as joined, (select count(*) from gone) as "left",
      ${named(sql`joined`)} as "joinedNames", ${named(sql`gone`)} as "leftNames"`.execute(tx);
  const { joined = 0, left = 0, joinedNames = null, leftNames = null } = rows[0] ?? {};
  const parts = [partOf(joined, 'joined', joinedNames), partOf(left, 'left', leftNames)].filter(
    (part) => part !== '',
  );
  return new ActionError(
    'Invalid',
    `The selection has changed since the preview: ${parts.join('; ')}. Nothing was started; look at the preview again.`,
  );
}

function partOf(count: number, verb: string, names: readonly string[] | null): string {
  if (count === 0) return '';
  const shown = (names ?? []).join(', ');
  const more = count > mostNamed ? ' and others' : '';
  return `${count.toLocaleString('en')} ${count === 1 ? 'device' : 'devices'} ${verb} (${shown}${more})`;
}
