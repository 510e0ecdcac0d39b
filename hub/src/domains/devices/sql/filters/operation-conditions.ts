import { choiceOf, FilterError, ids, type Comparison, type FilterValue } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { commandsProperty } from '../known-properties.ts';
import { isAmong, type Lookup } from './index-sql.ts';
import { jsonFits } from './json-sql.ts';

/** The raw ids of the versions of a package that a value of `installed` means, by its text. */
export type InstalledVersions = ReadonlyMap<string, readonly string[]>;

interface Scope {
  /** The raw id of the project. */
  readonly projectId: string;
  readonly lookup: Lookup;
  readonly installed: InstalledVersions;
}

/** The condition that a device offers a command: each list of commands that devices have is read once. */
export function offersCommand(comparison: Comparison, { lookup }: Scope): RawBuilder<boolean> {
  const offers = jsonFits(sql`p.value`, ['commands', 'name'], comparison);
  // Equal lists have equal hashes, whatever the project.
  const lists = sql`array(
    select m.manifest_hash from (
      select a.manifest_hash, min(a.device_id) as device_id from device_abilities a join devices using (device_id)
      where a.manifest_hash is not null group by 1
    ) as m join device_properties p on p.device_id = m.device_id and p.name = ${commandsProperty} and ${offers})`;
  return lookup === 'each'
    ? sql<boolean>`(select true from device_abilities a where a.device_id = d.device_id and a.manifest_hash = any(${lists})) is true`
    : isAmong(sql`select a.device_id from device_abilities a where a.manifest_hash = any(${lists})`);
}

const abilities = {
  operations: sql<boolean>`a.claimed_at >= x.last_connected_at - interval '1 day'`,
  commands: sql<boolean>`a.has_commands`,
  terminal: sql<boolean>`a.has_terminal`,
} as const;

/** The condition that a device can do something: take work, serve commands, or serve a terminal. */
export function canDo({ operator, values }: Comparison, { projectId, lookup }: Scope): RawBuilder<boolean> {
  const wanted = values.map(({ text }) => choiceOf(Object.keys(abilities), text) as keyof typeof abilities);
  const fits = sql`(${sql.join(
    wanted.map((one) => abilities[one]),
    sql` or `,
  )})`;
  const from = sql`device_abilities a join devices x using (device_id)`;
  const can =
    lookup === 'each'
      ? sql<boolean>`(select true from ${from} where a.device_id = d.device_id and ${fits} limit 1) is true`
      : isAmong(sql`select a.device_id from ${from} where x.project_id = ${projectId} and ${fits}`);
  return operator === '!=' ? sql<boolean>`not ${can}` : can;
}

/** The condition that a device has proved to have a version of a package. */
export function hasInstalled(comparison: Comparison, scope: Scope): RawBuilder<boolean> {
  const { operator, values } = comparison;
  const fits = installFits(values, scope);
  const has =
    scope.lookup === 'each'
      ? sql<boolean>`(select true from device_installs i where i.device_id = d.device_id and ${fits} limit 1) is true`
      : isAmong(sql`select i.device_id from device_installs i where ${fits}`);
  return operator === '!=' ? sql<boolean>`not ${has}` : has;
}

/** SQL that selects the devices that have proved to have such a version, also those of other projects; undefined for comparisons that most devices fit. */
export function installedDevices(
  { operator, values }: Comparison,
  scope: Scope,
): RawBuilder<unknown> | undefined {
  if (operator === '!=') return undefined;
  return sql`select i.device_id from device_installs i where ${installFits(values, scope)}`;
}

function installFits(values: readonly FilterValue[], { installed }: Scope): RawBuilder<boolean> {
  const versions = values.flatMap(({ text }) => installed.get(text) ?? []);
  return sql<boolean>`i.version_id = any(${versions}::text[])`;
}

const results: Readonly<Record<string, RawBuilder<boolean>>> = {
  pending: sql<boolean>`o.status = 'Pending'`,
  running: sql<boolean>`o.status = 'Running'`,
  succeeded: sql<boolean>`o.status = 'Succeeded'`,
  failed: sql<boolean>`o.status = 'Failed'`,
  timedOut: sql<boolean>`o.status = 'TimedOut'`,
  cancelled: sql<boolean>`o.status = 'Cancelled'`,
  interrupted: sql<boolean>`o.outcome = 'Interrupted'`,
  unknown: sql<boolean>`o.outcome = 'Unknown'`,
  notDelivered: sql<boolean>`o.outcome = 'NotDelivered'`,
};

/** The condition that a device is in an operation, or stands there in one way. */
export function isInOperation(comparison: Comparison, scope: Scope): RawBuilder<boolean> {
  const { operator, values } = comparison;
  const fits = targetFits(values, scope);
  const is =
    scope.lookup === 'each'
      ? sql<boolean>`(select true from device_operations o where o.device_id = d.device_id and ${fits} limit 1) is true`
      : isAmong(sql`select o.device_id from device_operations o where ${fits}`);
  return operator === '!=' ? sql<boolean>`not ${is}` : is;
}

/** SQL that selects the devices of an operation that stand there so; undefined for comparisons that most devices fit. */
export function operationDevices(
  { operator, values }: Comparison,
  scope: Scope,
): RawBuilder<unknown> | undefined {
  if (operator === '!=') return undefined;
  return sql`select o.device_id from device_operations o where ${targetFits(values, scope)}`;
}

function targetFits(values: readonly FilterValue[], { projectId }: Scope): RawBuilder<boolean> {
  const conditions = values.map((value) => {
    const [id = '', result, ...more] = value.text.split('.');
    const parsed = ids.fleetOperation.schema.safeParse(id);
    const name = result === undefined ? undefined : choiceOf(Object.keys(results), result);
    if (!parsed.success || more.length > 0 || (result !== undefined && name === undefined))
      throw new FilterError(
        `write the id of an operation here, alone or with how devices stand in it, such as flt_op_….failed: ${Object.keys(results).join(', ')}.`,
        value.at,
      );
    const stands = name === undefined ? sql`true` : (results[name] as RawBuilder<boolean>);
    return sql<boolean>`(o.fleet_operation_id = ${ids.fleetOperation.raw(parsed.data)} and ${stands})`;
  });
  return sql<boolean>`(o.project_id = ${projectId} and o.is_latest and (${sql.join(conditions, sql` or `)}))`;
}
