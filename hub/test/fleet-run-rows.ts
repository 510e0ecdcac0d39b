import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { newRawId } from '../src/auth/random.ts';
import type { Database } from '../src/platform/db/connect.ts';
import type { ModelDevice, ModelFleet } from './fleet-model-rows.ts';
import type { FleetModel } from './fleet-model.ts';

/** An attempt on a device as it is stored. */
export interface TargetRow {
  readonly id: string;
  readonly fleet: string;
  readonly device: string;
  readonly stage: number;
  readonly attempt: number;
  readonly isLatest: boolean;
  readonly status: string;
  readonly outcome: string | null;
  readonly index: number;
  readonly isReleased: boolean;
  readonly counts: boolean;
  readonly step: string | null;
  readonly claims: number | null;
}

/** Reads the attempts of all operations, or of one. */
export async function readTargetRows(db: Database, fleet?: ModelFleet): Promise<TargetRow[]> {
  const isOne =
    fleet === undefined ? sql`true` : sql`o.fleet_operation_id = ${ids.fleetOperation.raw(fleet.id)}`;
  const { rows } = await sql<TargetRow>`
      select o.device_operation_id as id, o.fleet_operation_id as fleet, o.device_id as device, o.stage_index as stage, o.attempt,
        o.is_latest as "isLatest", o.status, o.outcome, o.step_index as index, o.released_at is not null as "isReleased",
        o.counts_as_failure as counts, s.status as step, s.claims
      from device_operations o left join device_operation_steps s
        on s.device_operation_id = o.device_operation_id and s.step_index = o.step_index
      where o.fleet_operation_id is not null and ${isOne} order by o.device_operation_id`.execute(db);
  return rows;
}

/** Expects the rows of all operations to be as the model says, and no device to run two of them. */
export async function compareRows(db: Database, { fleets, targets }: FleetModel): Promise<void> {
  const expected = targets.map((target): TargetRow => {
    const step = target.steps.get(target.index);
    return {
      id: target.id,
      fleet: ids.fleetOperation.raw(target.fleet.id),
      device: ids.device.raw(target.device.id),
      stage: target.stage,
      attempt: target.attempt,
      isLatest: target.isLatest,
      status: target.status,
      outcome: target.outcome,
      index: target.index,
      isReleased: target.releasedAt !== undefined,
      counts: target.counts,
      step: step?.status ?? null,
      claims: step?.claims ?? null,
    };
  });
  const byId = (one: TargetRow, other: TargetRow) => (one.id < other.id ? -1 : 1);
  expect(await readTargetRows(db)).toEqual(expected.toSorted(byId));
  const running = targets.filter(({ status }) => status === 'Running').map(({ device }) => device);
  expect(new Set(running).size).toBe(running.length);
  const { rows } = await sql`
      select f.fleet_operation_id as id, f.status, f.completed_at is not null as "isEnded", f.active_stage as "activeStage", (
          select coalesce(jsonb_agg(jsonb_build_array(s.devices, s.failures, s.opened_at is not null) order by s.stage_index), '[]')
          from fleet_operation_stages s where s.fleet_operation_id = f.fleet_operation_id) as stages
      from fleet_operations f order by f.fleet_operation_id`.execute(db);
  expect(rows).toEqual(
    fleets
      .map((fleet) => ({
        id: ids.fleetOperation.raw(fleet.id),
        status: fleet.status,
        isEnded: fleet.isEnded,
        activeStage: fleet.activeStage,
        stages: fleet.rows.map(({ devices, failures, openedAt }) => [
          devices,
          failures,
          openedAt !== undefined,
        ]),
      }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  );
}

/** Expects the events of an operation to be complete. */
export async function compareEvents(db: Database, { id, targets, events }: ModelFleet): Promise<void> {
  const { rows } = await sql<{ target: string | null; kind: string }>`
      select device_operation_id as target, kind from operation_events where fleet_operation_id = ${ids.fleetOperation.raw(id)}
      order by event_id`.execute(db);
  const kinds = rows
    .filter(({ target, kind }) => target === null || kind === 'Paused')
    .map(({ kind }) => kind);
  expect(kinds).toEqual(['Created', ...events]);
  for (const target of targets) {
    const own = rows.filter((row) => row.target === target.id).map(({ kind }) => kind);
    expect(own.filter((kind) => kind === 'Started').length).toBe(target.startedAt === undefined ? 0 : 1);
    expect(own.filter((kind) => kind === target.status).length).toBe(target.hasEndEvent ? 1 : 0);
  }
}

/** How many devices of an operation that has ended stand how. */
export function progressOf({ targets }: ModelFleet) {
  const latest = targets.filter(({ isLatest }) => isLatest);
  const count = (wanted: string) => latest.filter(({ status }) => status === wanted).length;
  return {
    total: latest.length,
    pending: 0,
    running: 0,
    succeeded: count('Succeeded'),
    failed: count('Failed'),
    timedOut: count('TimedOut'),
    cancelled: count('Cancelled'),
  };
}

/** Whether devices should have joined an operation by now. */
export async function isEnrolmentDue(db: Database, { id }: ModelFleet, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from fleet_operations where status = 'Running' and next_enrollment_at <= ${now}
      and fleet_operation_id = ${ids.fleetOperation.raw(id)}`.execute(db);
  return rows.length > 0;
}

/** Has devices say that they offer the command. */
export async function offerTouch(db: Database, given: readonly ModelDevice[], now: Date): Promise<void> {
  const devices = given.map(({ id }) => ids.device.raw(id));
  const said = {
    'dev.nexigon.commands': { commands: [{ name: 'touch' }] },
    'dev.nexigon.system.info': {
      agent: { config: { commands: { enabled: true } } },
    },
  };
  await sql`insert into device_properties (device_id, name, value, is_protected, updated_at)
      select d.id, s.key, s.value, false, ${now} from unnest(${devices}::text[]) as d(id), jsonb_each(${JSON.stringify(said)}::jsonb) s`.execute(
    db,
  );
}

/** Connects a device, by its raw id, to the node of the scene. */
export async function connect(db: Database, deviceId: string, now: Date): Promise<void> {
  await sql`insert into device_connections (connection_id, device_id, node_id, connected_at)
    select ${newRawId()}, ${deviceId}, node_id, ${now} from cluster_nodes limit 1`.execute(db);
}

/** Ends the connection of a device, by its raw id. */
export async function disconnect(db: Database, deviceId: string, now: Date): Promise<void> {
  await sql`update device_connections set ended_at = ${now} where device_id = ${deviceId} and ended_at is null`.execute(
    db,
  );
}
