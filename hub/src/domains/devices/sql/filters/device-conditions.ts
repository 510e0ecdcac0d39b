import { choiceOf, readDuration, type Comparison, type FilterValue, type FoundField } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { firstSystemInfoProperty, systemInfoProperty } from '../known-properties.ts';
import { isConnected } from '../presence.ts';
import { isSilent } from '../silences.ts';
import type { IndexedPaths } from '../indexed-paths.ts';
import { devicesThatFit, indexFits, isAmong, type Lookup } from './index-sql.ts';
import { jsonFits, jsonHas, pathOf } from './json-sql.ts';
import {
  canDo,
  hasInstalled,
  isInOperation,
  installedDevices,
  offersCommand,
  operationDevices,
  type InstalledVersions,
} from './operation-conditions.ts';
import {
  ageSql,
  orderOperators,
  rawValues,
  textIs,
  type OrderOperator,
} from '../../../../platform/db/filters/text-sql.ts';

/** Which devices a filter selects from, when, and how. */
export interface DeviceScope {
  /** The raw id of the project. */
  readonly projectId: string;
  readonly now: Date;
  readonly indexed: IndexedPaths;
  readonly lookup: Lookup;
  /** The versions that the values of `installed` mean. */
  readonly installed: InstalledVersions;
}

type Conditions = Readonly<
  Record<string, (comparison: Comparison, scope: DeviceScope) => RawBuilder<boolean>>
>;

/** The condition of a comparison whose field and values fit. */
export function comparisonSql(
  comparison: Comparison,
  found: FoundField,
  scope: DeviceScope,
): RawBuilder<boolean> {
  const condition = found.from === 'named' ? conditions[found.name] : undefined;
  if (condition !== undefined) return condition(comparison, scope);
  return hasValue(documentOf(found), scope, comparison);
}

/** Where the values of a field that devices report are. */
export function documentOf(found: FoundField): DocumentField {
  return systemField(found) ?? documentField(found);
}

/** The condition that a device has a value of a field. */
export function hasSql(found: FoundField, scope: DeviceScope): RawBuilder<boolean> {
  const system = systemField(found);
  if (found.from === 'named' && system === undefined) return (present[found.name] ?? always)(scope);
  return hasValue(system ?? documentField(found), scope, undefined);
}

/** Where a field is in what devices write: the properties or the metadata, and the path in them. */
interface DocumentField {
  readonly names: readonly string[];
  readonly keys: readonly string[];
}

/** A label is a value in the metadata, the system is in one of two properties, everything else in the property with that name. */
function documentField({ name, from, path }: FoundField): DocumentField {
  if (from === 'group' && name === 'label') return { names: [metadata], keys: [path] };
  const keys = path === '' ? [] : path.split('.');
  return { names: from === 'group' ? systemProperties : [name], keys };
}

const metadata = '';
const systemProperties = [systemInfoProperty, firstSystemInfoProperty];
/** The fields with names of their own that are in the system information. */
const systemKeys: Readonly<Record<string, readonly string[]>> = {
  os: ['name'],
  arch: ['arch'],
  kernel: ['kernel'],
  agent: ['agent', 'version'],
};

function systemField(found: FoundField): DocumentField | undefined {
  const keys = found.from === 'named' ? systemKeys[found.name] : undefined;
  return keys === undefined ? undefined : { names: systemProperties, keys };
}

/** The condition that a device has a value that fits, or any, in one of the documents: by the property index where it has the path, else in the documents themselves. */
function hasValue(
  { names, keys }: DocumentField,
  scope: DeviceScope,
  comparison: Comparison | undefined,
): RawBuilder<boolean> {
  const lookups = keysOf({ names, keys }, scope).map((keyId) =>
    keyId === undefined ? undefined : indexFits(keyId, comparison, scope.lookup),
  );
  if (lookups.every((lookup) => lookup !== undefined)) return sql<boolean>`(${sql.join(lookups, sql` or `)})`;
  const inJson = (document: RawBuilder<unknown>) =>
    comparison === undefined ? jsonHas(document, keys) : jsonFits(document, keys, comparison);
  return names.includes(metadata) ? inJson(sql`d.metadata`) : inProperty(names, scope, inJson(sql`p.value`));
}

function keysOf({ names, keys }: DocumentField, { indexed }: DeviceScope): (number | undefined)[] {
  const path = pathOf(keys);
  return names.map((property) => indexed.keyOf({ property, path }));
}

/** SQL that selects the devices with a value of a field that fits, or any, by an index; undefined where only reading all devices tells. The field and the values fit. */
export function devicesSql(
  found: FoundField,
  scope: DeviceScope,
  comparison: Comparison | undefined,
): RawBuilder<unknown> | undefined {
  if (found.name === 'cert' && comparison !== undefined && isPending(comparison)) return pendingDevices;
  if (found.name === 'op' && comparison !== undefined) return operationDevices(comparison, scope);
  if (found.name === 'installed' && comparison !== undefined) return installedDevices(comparison, scope);
  const system = systemField(found);
  if (found.from === 'named' && system === undefined) return undefined;
  const sets = keysOf(documentOf(found), scope).map((keyId) =>
    keyId === undefined ? undefined : devicesThatFit(keyId, comparison),
  );
  return sets.every((set) => set !== undefined) ? sql.join(sets, sql` union all `) : undefined;
}

const pendingDevices = sql`select c.device_id from device_certificates c where c.status = 'Pending'`;

function isPending({ operator, values }: Comparison): boolean {
  return operator !== '!=' && values.every(({ text }) => text.toLowerCase() === 'pending');
}

/** As a set, PostgreSQL reads the properties of this name once. */
function inProperty(
  names: readonly string[],
  { projectId, lookup }: DeviceScope,
  fits: RawBuilder<boolean>,
): RawBuilder<boolean> {
  if (lookup === 'each')
    return sql<boolean>`(select true from device_properties p
      where p.device_id = d.device_id and p.name = any(${names}) and ${fits} limit 1) is true`;
  return isAmong(sql`select p.device_id from devices x join device_properties p using (device_id)
    where x.project_id = ${projectId} and p.name = any(${names}) and ${fits}`);
}

const flag =
  (condition: (scope: DeviceScope) => RawBuilder<boolean>) =>
  ({ operator, values }: Comparison, scope: DeviceScope): RawBuilder<boolean> => {
    const isWanted = values.some(({ text }) => text.toLowerCase() === 'true') === (operator !== '!=');
    const isAny = values.length > 1 && new Set(values.map(({ text }) => text.toLowerCase())).size > 1;
    if (isAny) return sql<boolean>`true`;
    return isWanted ? condition(scope) : sql<boolean>`(${condition(scope)}) is not true`;
  };

const ago =
  (moment: RawBuilder<unknown>, and?: (scope: DeviceScope) => RawBuilder<boolean>) =>
  ({ operator, values }: Comparison, scope: DeviceScope): RawBuilder<boolean> => {
    const durationMs = readDuration(values[0] as FilterValue);
    const since = ageSql(moment, operator as OrderOperator, durationMs, scope.now);
    return and === undefined ? since : sql<boolean>`(${and(scope)} and ${since})`;
  };

const silent = ({ now }: Pick<DeviceScope, 'now'>) => isSilent(now);
const live = ({ now }: Pick<DeviceScope, 'now'>) => isConnected(now);
const offline = ({ now }: Pick<DeviceScope, 'now'>) => sql<boolean>`(${isConnected(now)}) is not true`;
const always = () => sql<boolean>`true`;

const manyEnds = 5;
const hourMs = 3_600_000;

/** The condition that at least five connections of a device have ended within the last hour. */
function isFlapping({ now }: DeviceScope): RawBuilder<boolean> {
  return sql<boolean>`d.device_id in (
    select c.device_id from device_connections c where c.ended_at > ${new Date(now.getTime() - hourMs)}
    group by c.device_id having count(*) >= ${manyEnds})`;
}

const healthOf = { warning: 'degraded', error: 'error' } as const;

/** The health that the list of devices shows: a connected device is healthy unless it reports something else. */
function hasStatus({ operator, values }: Comparison, { now }: DeviceScope): RawBuilder<boolean> {
  const conditions = values.map(({ text }) => {
    const status = choiceOf(['healthy', 'warning', 'error', 'offline'], text);
    if (status === 'offline') return offline({ now });
    if (status === 'healthy')
      return sql<boolean>`(${isConnected(now)} and coalesce(d.health, '') <> all(${Object.values(healthOf)}))`;
    return sql<boolean>`(${isConnected(now)} and d.health = ${healthOf[status as keyof typeof healthOf]})`;
  });
  const isOne = sql<boolean>`(${sql.join(conditions, sql` or `)})`;
  return operator === '!=' ? sql<boolean>`(${isOne}) is not true` : isOne;
}

function ofCertificates(
  { projectId, lookup }: DeviceScope,
  condition: RawBuilder<boolean>,
): RawBuilder<boolean> {
  if (lookup === 'each')
    return sql<boolean>`(select true from device_certificates c where c.device_id = d.device_id and ${condition} limit 1) is true`;
  return isAmong(sql`select c.device_id from device_certificates c join devices x using (device_id)
    where x.project_id = ${projectId} and ${condition}`);
}

function hasCertificate({ operator, values }: Comparison, scope: DeviceScope): RawBuilder<boolean> {
  const statuses = values.map(
    ({ text }) => choiceOf(['Pending', 'Active', 'Rejected', 'Revoked'], text) ?? '',
  );
  // The index of pending certificates is only used where the statement says which status it reads.
  const isStatus =
    statuses.join() === 'Pending'
      ? sql<boolean>`c.status = 'Pending'`
      : sql<boolean>`c.status = any(${statuses})`;
  const isOne = ofCertificates(scope, isStatus);
  return operator === '!=' ? sql<boolean>`(${isOne}) is not true` : isOne;
}

function certificateAge(comparison: Comparison, scope: DeviceScope): RawBuilder<boolean> {
  const age = ago(sql`c.created_at`)(comparison, scope);
  return ofCertificates(scope, sql<boolean>`c.status = 'Active' and ${age}`);
}

/** A duration until the end: less than 7 days is also said of one that has ended. */
function certificateEnds({ operator, values }: Comparison, scope: DeviceScope): RawBuilder<boolean> {
  const then = new Date(scope.now.getTime() + readDuration(values[0] as FilterValue));
  const order = orderOperators[operator as OrderOperator];
  return ofCertificates(scope, sql<boolean>`c.status = 'Active' and c.ends_at ${order} ${then}`);
}

/** The token that enrolled the device, by name or id. */
function enrolledBy(comparison: Comparison, { projectId }: DeviceScope): RawBuilder<boolean> {
  const one = { ...comparison, operator: '=' as const };
  const byId = textIs(sql`t.token_id`, { ...one, values: rawValues(comparison.values, 'deployment_id') });
  const isOne = sql<boolean>`d.enrolled_by in (select t.token_id from deployment_tokens t
    where t.project_id = ${projectId} and (${textIs(sql`t.name`, one)} or ${byId}))`;
  return comparison.operator === '!=' ? sql<boolean>`not ${isOne}` : isOne;
}

const conditions: Conditions = {
  id: (comparison) => textIs(sql`d.device_id`, { ...comparison, values: rawValues(comparison.values, 'd') }),
  name: (comparison) => textIs(sql`d.name`, comparison),
  hostname: (comparison) => textIs(sql`d.hostname`, comparison),
  connected: flag(live),
  flapping: flag(isFlapping),
  silent: flag(silent),
  status: hasStatus,
  offline: ago(sql`d.last_seen_at`, offline),
  uptime: ago(sql`d.last_connected_at`, live),
  age: ago(sql`d.created_at`),
  cert: hasCertificate,
  certAge: certificateAge,
  certEnds: certificateEnds,
  token: enrolledBy,
  cmd: offersCommand,
  can: canDo,
  installed: hasInstalled,
  op: isInOperation,
  node: (comparison, scope) => {
    const values = rawValues(comparison.values, 'cluster_node');
    return sql<boolean>`(${live(scope)} and ${textIs(sql`d.open_node`, { ...comparison, values })})`;
  },
};

const present: Readonly<Record<string, (scope: DeviceScope) => RawBuilder<boolean>>> = {
  name: () => sql<boolean>`d.name is not null`,
  hostname: () => sql<boolean>`d.hostname is not null`,
  connected: live,
  flapping: isFlapping,
  silent,
  offline: (scope) => sql<boolean>`(${offline(scope)} and d.last_seen_at is not null)`,
  uptime: live,
  cert: (scope) => ofCertificates(scope, sql<boolean>`true`),
  certAge: (scope) => ofCertificates(scope, sql<boolean>`c.status = 'Active'`),
  certEnds: (scope) => ofCertificates(scope, sql<boolean>`c.status = 'Active' and c.ends_at is not null`),
  token: ({ projectId }) => sql<boolean>`d.enrolled_by in (
    select t.token_id from deployment_tokens t where t.project_id = ${projectId})`,
  node: live,
  cmd: () =>
    sql<boolean>`d.device_id in (select a.device_id from device_abilities a where a.manifest_hash is not null)`,
  can: () =>
    sql<boolean>`d.device_id in (select a.device_id from device_abilities a where a.has_commands or a.has_terminal or a.claimed_at is not null)`,
  installed: () => sql<boolean>`d.device_id in (select i.device_id from device_installs i)`,
  op: ({ projectId }) =>
    sql<boolean>`d.device_id in (select o.device_id from device_operations o where o.project_id = ${projectId})`,
};
