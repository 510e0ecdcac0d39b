import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json } from '@corral/contract';
import { evaluatePredicate, namesIn, type Expr } from '@corral/expressions';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** A device of which a condition could not be decided. */
export interface SelectionError {
  /** The raw id. */
  readonly deviceId: string;
  readonly error: string;
}

interface Row {
  readonly device_id: string;
  readonly properties: Record<string, Json> | null;
}

/** Properties may have some hundred KiB each. */
const devicesAtOnce = 200;
const turnMs = 10;

/** The devices, by raw id, for which all predicates hold, in order; the first that is false ends it. `passes` is the condition on the statement's `devices d`. */
export async function selectByPredicates(
  tx: Database,
  passes: RawBuilder<boolean>,
  predicates: readonly Expr[],
): Promise<{ readonly devices: readonly string[]; readonly errors: readonly SelectionError[] }> {
  const names = [...new Set(predicates.flatMap((predicate) => [...namesIn(predicate)]))];
  const devices: string[] = [];
  const errors: SelectionError[] = [];
  for await (const { device_id, properties } of devicesWith(tx, passes, names)) {
    const outcome = holds(predicates, new Map(Object.entries(properties ?? {})));
    if (outcome === true) devices.push(device_id);
    else if (outcome !== false) errors.push({ deviceId: device_id, error: outcome });
  }
  return { devices, errors };
}

/** Whether all predicates hold of the properties of a device, or why it could not be decided. */
function holds(predicates: readonly Expr[], scope: ReadonlyMap<string, Json>): boolean | string {
  for (const predicate of predicates) {
    const { error, value } = evaluatePredicate(predicate, scope);
    if (error !== undefined) return error.message;
    if (!value) return false;
  }
  return true;
}

/** How many of some devices meet a predicate. */
interface Matches {
  readonly count: number;
  readonly matching: number;
  readonly errors: number;
  readonly firstError?: string | undefined;
}

/** Counts the devices that meet a predicate; one that lacks a property does not. */
export async function countMatches(
  tx: Database,
  passes: RawBuilder<boolean>,
  predicate: Expr,
): Promise<Matches> {
  let [count, matching, errors] = [0, 0, 0];
  let firstError: string | undefined;
  for await (const { properties } of devicesWith(tx, passes, [...namesIn(predicate)])) {
    const { error, value } = evaluatePredicate(predicate, new Map(Object.entries(properties ?? {})));
    count += 1;
    if (value === true) matching += 1;
    if (error === undefined || error.kind === 'Missing') continue;
    errors += 1;
    firstError ??= error.message;
  }
  return { count, matching, errors, firstError };
}

/** Devices with the named properties, in batches, and never long in one turn of the event loop. */
async function* devicesWith(
  tx: Database,
  passes: RawBuilder<boolean>,
  names: readonly string[],
): AsyncGenerator<Row> {
  const { rows: found } = await sql<{ device_id: string }>`
    select d.device_id from devices d where ${passes} order by d.device_id`.execute(tx);
  let turnEndsAt = performance.now() + turnMs;
  for (let from = 0; from < found.length; from += devicesAtOnce) {
    const batch = found.slice(from, from + devicesAtOnce).map(({ device_id }) => device_id);
    const { rows } = await sql<Row>`
      select b.device_id, (
        select jsonb_object_agg(p.name, p.value) from device_properties p where p.device_id = b.device_id and p.name = any(${names})
      ) as properties from unnest(${batch}::text[]) as b(device_id)`.execute(tx);
    for (const row of rows) {
      yield row;
      if (performance.now() < turnEndsAt) continue;
      await nextTurn();
      turnEndsAt = performance.now() + turnMs;
    }
  }
}
