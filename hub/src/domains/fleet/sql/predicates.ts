import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseExactJson } from '@corral/contract';
import {
  evaluatePredicate,
  type Expr,
  fromParts,
  type Json,
  partsIn,
  type Path,
  type Scope,
} from '@corral/expressions';
import { sql, type RawBuilder } from 'kysely';
import { type Database, planEachTime } from '../../../platform/db/connect.ts';

/** A device of which a condition could not be decided. */
export interface SelectionError {
  /** The raw id. */
  readonly deviceId: string;
  readonly error: string;
}

/** Devices of which all parts that are asked for are equal. */
interface Group {
  /** By raw id. */
  readonly devices: readonly string[];
  readonly scope: Scope;
}

/** So many groups are read at a time: what is asked of a property may have some hundred KiB. */
const groupsAtOnce = 200;
/** Of more parts, and of more properties than these, a group has whole properties. */
const [mostParts, mostNames] = [16, 16];
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

/** The devices, by raw id, for which all predicates hold; the first that is false ends it. `passes` is the condition on the statement's `devices d`. */
export async function selectByPredicates(
  tx: Database,
  passes: RawBuilder<boolean>,
  predicates: readonly Expr[],
): Promise<{ readonly devices: readonly string[]; readonly errors: readonly SelectionError[] }> {
  const devices: string[] = [];
  const errors: SelectionError[] = [];
  const turn = new Turn();
  for await (const group of readGroups(tx, passes, predicates)) {
    const outcome = await holds(predicates, group.scope, turn);
    if (outcome === false) continue;
    for (const deviceId of group.devices)
      if (outcome === true) devices.push(deviceId);
      else errors.push({ deviceId, error: outcome });
  }
  return { devices, errors };
}

/** Whether all predicates hold of the properties of a device, or why it could not be decided. */
async function holds(predicates: readonly Expr[], scope: Scope, turn: Turn): Promise<boolean | string> {
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
  for await (const { devices, scope } of readGroups(tx, passes, [predicate])) {
    if (turn.isOver) await turn.next();
    const { error, value } = evaluatePredicate(predicate, scope);
    count += devices.length;
    if (value === true) matching += devices.length;
    if (error === undefined || error.kind === 'Missing') continue;
    errors += devices.length;
    firstError ??= error.message;
  }
  return { count, matching, errors, firstError };
}

/** Devices in groups of which no predicate can tell one from another: of 100,000 devices there are often no more than a few. */
async function* readGroups(
  tx: Database,
  passes: RawBuilder<boolean>,
  predicates: readonly Expr[],
): AsyncGenerator<Group> {
  const parts = boundedParts(predicates);
  // A cursor, since all groups together may be large.
  await sql`
    ${sql.raw(planEachTime)} declare device_groups no scroll cursor for
    select needed::text as needed, string_agg(device_id, ',') as devices from (
      select d.device_id, (
        select jsonb_object_agg(p.name, ${neededOf(parts)}) from device_properties p
        where p.device_id = d.device_id and p.name = any(${[...parts.keys()]}::text[])
      ) as needed from devices d where ${passes}
    ) as looked_at group by 1`.execute(tx);
  for (;;) {
    const { rows } = await sql<{ needed: string | null; devices: string }>`
      fetch ${sql.lit(groupsAtOnce)} from device_groups`.execute(tx);
    for (const { needed, devices } of rows)
      yield { devices: devices.split(','), scope: scopeOf(parts, needed) };
    if (rows.length < groupsAtOnce) break;
  }
  await sql`close device_groups`.execute(tx);
}

type Parts = ReturnType<typeof partsIn>;

function boundedParts(predicates: readonly Expr[]): Parts {
  const parts = partsIn(predicates);
  const whole: readonly Path[] = [[]];
  return new Map(
    [...parts].map(([name, paths]) => [
      name,
      parts.size > mostNames || paths.length > mostParts ? whole : paths,
    ]),
  );
}

/** SQL of what is asked of the property `p`: an array with, for each part, an array of what is there. */
function neededOf(parts: Parts): RawBuilder<unknown> {
  const cases = [...parts].flatMap(([name, paths]) => {
    if (paths.length === 1 && paths[0]?.length === 0) return [];
    const found = paths.map(
      (path) => sql`jsonb_path_query_array(p.value, ${strictPath(path)}::jsonpath, '{}', true)`,
    );
    return [sql`when ${name} then jsonb_build_array(${sql.join(found)})`];
  });
  const whole = sql`jsonb_build_array(jsonb_build_array(p.value))`;
  return cases.length === 0 ? whole : sql`case p.name ${sql.join(cases, sql` `)} else ${whole} end`;
}

/** A path as expressions read it: a key leads into objects only, an index into arrays only. */
function strictPath(path: Path): string {
  return `strict $${path.map((one) => (typeof one === 'number' ? `[${one}]` : `.${JSON.stringify(one)}`)).join('')}`;
}

function scopeOf(parts: Parts, needed: string | null): Scope {
  const found = needed === null ? {} : (parseExactJson(needed) as Record<string, [Json?][]>);
  return new Map(
    Object.entries(found).map(([name, values]) => [
      name,
      fromParts(
        parts.get(name) ?? [],
        values.map(([value]) => value),
      ),
    ]),
  );
}
