import { ActionError, ids, type Id, type Json, type Output } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Definition, GivenDefinition } from './definition.ts';
import { mostChanges, shownSql } from './preview.ts';
import { findInstallable, stepsOfInstall } from './recipes.ts';

type Change = Output<'fleet_PreviewDraft'>['changes'][number];

/** What an operation did that can be taken back. */
export interface Undoable {
  readonly devices: readonly Id<'device'>[];
  /** Those of most devices, to be shown. */
  readonly steps: GivenDefinition['steps'];
}

/**
 * SQL of what takes back the changes of properties of an operation: `device_id` and `steps`. Left out are devices of which a property was written or removed since.
 */
function propertyUndo(operationId: string): RawBuilder<unknown> {
  return sql`
    select w.device_id, jsonb_agg(case when w.undo = 'null' then jsonb_build_object('kind', 'RemoveDeviceProperty', 'name', w.name)
        else jsonb_build_object('kind', 'SetDeviceProperty', 'name', w.name, 'value', w.undo -> 'value', 'protected', w.undo -> 'protected') end
      order by w.name) as steps
    from (
      select o.device_id, s.undo, s.name, row_number() over (partition by o.device_id, s.name order by o.attempt, s.step_index) as first,
        max(s.completed_at) over (partition by o.device_id, s.name) as written_at
      from device_operations o join fleet_operations f using (fleet_operation_id)
      join lateral (
        select t.undo, t.step_index, t.completed_at, coalesce(o.steps, f.steps) -> t.step_index ->> 'name' as name
        from device_operation_steps t where t.device_operation_id = o.device_operation_id and t.undo is not null and t.status = 'Succeeded'
      ) as s on true
      where o.fleet_operation_id = ${operationId}
    ) as w left join device_properties p on p.device_id = w.device_id and p.name = w.name
    left join removed_device_properties r on r.device_id = w.device_id and r.name = w.name
    where w.first = 1 group by w.device_id having bool_and(case when p.name is not null then p.updated_at = w.written_at
      when r.name is not null then r.removed_at = w.written_at else w.undo = 'null' end)`;
}

/** SQL of the devices that an operation gave another version of its package than they had, and still have: `device_id`, `version_id`, the former one, and `present_id`. */
function versionUndo(operationId: string): RawBuilder<unknown> {
  return sql`
    select i.device_id, i.version_before as version_id, i.version_id as present_id from device_operations o join device_installs i
      on i.device_operation_id = o.device_operation_id and i.device_id = o.device_id
    where o.fleet_operation_id = ${operationId} and i.version_before is not null and i.version_before <> i.version_id`;
}

/** An operation that is taken back. */
export interface Undone {
  /** The raw id. */
  readonly operationId: string;
  /** The versions that its devices had and can still fetch, those of most devices first; undefined unless it is an install. */
  readonly former:
    | readonly { readonly versionId: string; readonly steps: GivenDefinition['steps'] }[]
    | undefined;
}

/** Reads what an operation, by its raw id, is taken back to. */
export async function readUndone(
  tx: Database,
  {
    operationId,
    projectId,
    definition,
  }: { readonly operationId: string; readonly projectId: string; readonly definition: Definition },
): Promise<Undone> {
  if (definition.install === undefined) return { operationId, former: undefined };
  const { rows } = await sql<{ version_id: string }>`
    select u.version_id from (${versionUndo(operationId)}) as u group by u.version_id order by count(*) desc, u.version_id`.execute(
    tx,
  );
  const former: { versionId: string; steps: GivenDefinition['steps'] }[] = [];
  for (const { version_id: versionId } of rows) {
    const steps = await stepsOfVersion(tx, projectId, versionId, definition);
    if (steps !== undefined) former.push({ versionId, steps });
  }
  return { operationId, former };
}

/** SQL of the devices, by `device_id`, on which there is something to be taken back now. */
export function undoableDevices({ operationId, former }: Undone): RawBuilder<unknown> {
  if (former === undefined) return sql`select u.device_id from (${propertyUndo(operationId)}) as u`;
  const versions = former.map(({ versionId }) => versionId);
  return sql`select u.device_id from (${versionUndo(operationId)}) as u where u.version_id = any(${versions}::text[])`;
}

/** What of an operation can be taken back now. */
export async function findUndoable(
  tx: Database,
  operation: { operationId: string; projectId: string; definition: Definition },
): Promise<Undoable> {
  const undone = await readUndone(tx, operation);
  const { rows } = await sql<{ device_id: string }>`${undoableDevices(undone)} order by 1`.execute(tx);
  const devices = rows.map(({ device_id }) => ids.device.of(device_id));
  if (undone.former !== undefined) return { devices, steps: undone.former[0]?.steps ?? [] };
  const { rows: usual } = await sql<{ steps: GivenDefinition['steps'] }>`
    select u.steps from (${propertyUndo(operation.operationId)}) as u group by u.steps order by count(*) desc limit 1`.execute(
    tx,
  );
  return { devices, steps: usual[0]?.steps ?? [] };
}

/** The steps that install a version; undefined where devices can no longer fetch it. */
async function stepsOfVersion(
  tx: Database,
  projectId: string,
  versionId: string,
  { install }: Definition,
): Promise<GivenDefinition['steps'] | undefined> {
  const version = await findInstallable(tx, projectId, versionId);
  try {
    return version && stepsOfInstall(version, install?.recipe);
  } catch (error) {
    if (error instanceof ActionError) return undefined;
    throw error;
  }
}

/** Gives each device of an operation that takes another one back its own steps; the operation, by its raw id, has just been enrolled. */
export async function setUndoSteps(tx: Database, operationId: string, undone: Undone): Promise<void> {
  if (undone.former === undefined) {
    await sql`
      update device_operations o set steps = u.steps, step_count = jsonb_array_length(u.steps)
      from (${propertyUndo(undone.operationId)}) as u
      where o.fleet_operation_id = ${operationId} and o.device_id = u.device_id`.execute(tx);
    return;
  }
  for (const { versionId, steps } of undone.former)
    await sql`
      update device_operations o set steps = ${JSON.stringify(steps)}::jsonb, step_count = ${steps.length}, installs_version = ${versionId}
      from (${versionUndo(undone.operationId)}) as u
      where o.fleet_operation_id = ${operationId} and o.device_id = u.device_id and u.version_id = ${versionId}`.execute(
      tx,
    );
}

/** What devices, as SQL of an `Eligibility`, get back: as changes of a preview, the most frequent first. */
export async function readUndoChanges(
  tx: Database,
  undone: Undone,
  matched: RawBuilder<unknown>,
): Promise<Change[]> {
  const all = undone.former === undefined ? propertyChanges(undone) : versionChanges(undone);
  const { rows } = await sql<{
    what: string;
    from: Json;
    isNew: boolean;
    to: Json;
    isRemoved: boolean;
    count: number;
  }>`
    with fit as materialized (select m.device_id from (${matched}) as m where m.reason is null)
    select c.what, ${shownSql(sql`c."from"`)} as "from", c."from" is null as "isNew", ${shownSql(sql`c."to"`)} as "to", c."to" is null as "isRemoved", count(*) as count
    from (${all}) as c group by 1, 2, 3, 4, 5 order by count(*) desc, 1 limit ${sql.lit(mostChanges)}`.execute(
    tx,
  );
  return rows.map(({ what, from, isNew, to, isRemoved, count }) => ({
    what,
    ...(isNew ? {} : { from }),
    ...(isRemoved ? {} : { to }),
    count,
  }));
}

function propertyChanges({ operationId }: Undone): RawBuilder<unknown> {
  return sql`
    select s.step ->> 'name' as what, p.value as "from", s.step -> 'value' as "to"
    from fit join (${propertyUndo(operationId)}) as u using (device_id) cross join lateral jsonb_array_elements(u.steps) as s(step)
    left join device_properties p on p.device_id = fit.device_id and p.name = s.step ->> 'name'`;
}

function versionChanges({ operationId }: Undone): RawBuilder<unknown> {
  const nameOf = (version: RawBuilder<unknown>) =>
    sql`to_jsonb(coalesce(${version}.name, ${ids.packageVersion.tag} || '_' || ${version}.version_id))`;
  return sql`
    select r.name || '/' || k.name as what, ${nameOf(sql`present`)} as "from", ${nameOf(sql`former`)} as "to"
    from fit join (${versionUndo(operationId)}) as u using (device_id)
    join package_versions former on former.version_id = u.version_id
    join packages k on k.package_id = former.package_id join repositories r on r.repository_id = k.repository_id
    left join package_versions present on present.version_id = u.present_id`;
}
