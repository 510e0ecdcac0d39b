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

/** A turn of the event loop: one evaluation may take some milliseconds, and a device may have twenty. */
class Turn {
  #endsAt = performance.now() + turnMs;

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Gives way to others. */
  async next(): Promise<void> {
    await nextTurn();
    this.#endsAt = performance.now() + turnMs;
  }
}

/** The devices, by raw id, for which all predicates hold, in order; the first that is false ends it. `passes` is the condition on the statement's `devices d`. */
export async function selectByPredicates(
  tx: Database,
  passes: RawBuilder<boolean>,
  predicates: readonly Expr[],
): Promise<{ readonly devices: readonly string[]; readonly errors: readonly SelectionError[] }> {
  const names = [...new Set(predicates.flatMap((predicate) => [...namesIn(predicate)]))];
  const devices: string[] = [];
  const errors: SelectionError[] = [];
  const turn = new Turn();
  for await (const batch of devicesWith(tx, passes, names))
    for (const { device_id, properties } of batch) {
      const outcome = await holds(predicates, new Map(Object.entries(properties ?? {})), turn);
      if (outcome === true) devices.push(device_id);
      else if (outcome !== false) errors.push({ deviceId: device_id, error: outcome });
    }
  return { devices, errors };
}

/** Whether all predicates hold of the properties of a device, or why it could not be decided. */
async function holds(
  predicates: readonly Expr[],
  scope: ReadonlyMap<string, Json>,
  turn: Turn,
): Promise<boolean | string> {
  for (const predicate of predicates) {
    if (turn.isOver) await turn.next();
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
  const turn = new Turn();
  for await (const batch of devicesWith(tx, passes, [...namesIn(predicate)]))
    for (const { properties } of batch) {
      if (turn.isOver) await turn.next();
      const { error, value } = evaluatePredicate(predicate, new Map(Object.entries(properties ?? {})));
      count += 1;
      if (value === true) matching += 1;
      if (error === undefined || error.kind === 'Missing') continue;
      errors += 1;
      firstError ??= error.message;
    }
  return { count, matching, errors, firstError };
}

/** Devices with the named properties, in batches: the next one is read while one is looked at. */
async function* devicesWith(
  tx: Database,
  passes: RawBuilder<boolean>,
  names: readonly string[],
): AsyncGenerator<readonly Row[]> {
  const { rows: found } = await sql<{ device_id: string }>`
    select d.device_id from devices d where ${passes} order by d.device_id`.execute(tx);
  const readBatch = async (from: number): Promise<readonly Row[]> => {
    const batch = found.slice(from, from + devicesAtOnce).map(({ device_id }) => device_id);
    if (batch.length === 0) return [];
    const { rows } = await sql<Row>`
      select b.device_id, (
        select jsonb_object_agg(p.name, p.value) from device_properties p where p.device_id = b.device_id and p.name = any(${names})
      ) as properties from unnest(${batch}::text[]) as b(device_id)`.execute(tx);
    return rows;
  };
  let next = readBatch(0);
  for (let from = 0; from < found.length; from += devicesAtOnce) {
    const rows = await next;
    next = readBatch(from + devicesAtOnce);
    // Whoever asks for no more devices need not know how it ended.
    next.catch(() => undefined);
    yield rows;
  }
}
