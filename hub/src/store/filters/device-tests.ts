import { choiceOf, readDuration, type Comparison, type FilterValue, type FoundField } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { firstSystemInfoProperty, systemInfoProperty } from '../known-properties.ts';
import { isConnected } from '../presence.ts';
import type { FactKeys } from '../fact-keys.ts';
import { factFits } from './fact-sql.ts';
import { jsonFits, jsonHas, pathOf } from './json-sql.ts';
import { isAgo, rawValues, textIs, type OrderOperator } from './text-sql.ts';

/** Which devices a filter selects from, and when. */
export interface DeviceScope {
  /** The raw id of the project. */
  readonly projectId: string;
  readonly now: Date;
  readonly facts: FactKeys;
}

type Tests = Readonly<Record<string, (comparison: Comparison, scope: DeviceScope) => RawBuilder<boolean>>>;

/** The condition of a comparison whose field and values fit. */
export function comparisonSql(
  comparison: Comparison,
  found: FoundField,
  scope: DeviceScope,
): RawBuilder<boolean> {
  const test = found.from === 'named' ? tests[found.name] : undefined;
  if (test !== undefined) return test(comparison, scope);
  return inDocument(found, scope, comparison);
}

/** The condition that a device has a value of a field. */
export function hasSql(found: FoundField, scope: DeviceScope): RawBuilder<boolean> {
  if (found.from === 'named') return (present[found.name] ?? always)(scope);
  return inDocument(found, scope, undefined);
}

/** A label is a value in the metadata, the system is in one of two properties, everything else in the property with that name. */
function inDocument(
  { name, from, path }: FoundField,
  scope: DeviceScope,
  comparison: Comparison | undefined,
): RawBuilder<boolean> {
  if (from === 'group' && name === 'label') return hasValue([metadata], [path], scope, comparison);
  const keys = path === '' ? [] : path.split('.');
  return hasValue(from === 'group' ? systemProperties : [name], keys, scope, comparison);
}

const metadata = '';
const systemProperties = [systemInfoProperty, firstSystemInfoProperty];

/** The condition that a device has a value that fits, or any, in one of the documents: by its facts where there are some, else in the documents themselves. */
function hasValue(
  names: readonly string[],
  keys: readonly string[],
  scope: DeviceScope,
  comparison: Comparison | undefined,
): RawBuilder<boolean> {
  const path = pathOf(keys);
  const facts = names.map((property) => {
    const keyId = scope.facts.keyOf({ property, path });
    return keyId === undefined ? undefined : factFits(keyId, comparison);
  });
  if (facts.every((fact) => fact !== undefined)) return sql<boolean>`(${sql.join(facts, sql` or `)})`;
  const inJson = (document: RawBuilder<unknown>) =>
    comparison === undefined ? jsonHas(document, keys) : jsonFits(document, keys, comparison);
  return names.includes(metadata) ? inJson(sql`d.metadata`) : inProperty(names, scope, inJson(sql`p.value`));
}

/** The devices are looked up as a set: PostgreSQL reads the properties of this name once, instead of once for each device. */
function inProperty(names: readonly string[], { projectId }: DeviceScope, fits: RawBuilder<boolean>) {
  return sql<boolean>`d.device_id in (
    select p.device_id from devices x join device_properties p using (device_id)
    where x.project_id = ${projectId} and p.name = any(${names}) and ${fits})`;
}

const system =
  (key: string) =>
  (comparison: Comparison, scope: DeviceScope): RawBuilder<boolean> =>
    hasValue(systemProperties, [key], scope, comparison);

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
    const since = isAgo(moment, operator as OrderOperator, durationMs, scope.now);
    return and === undefined ? since : sql<boolean>`(${and(scope)} and ${since})`;
  };

const live = ({ now }: Pick<DeviceScope, 'now'>) => isConnected(now);
const offline = ({ now }: Pick<DeviceScope, 'now'>) => sql<boolean>`(${isConnected(now)}) is not true`;
const always = () => sql<boolean>`true`;

const manyEnds = 5;
const hourMs = 3_600_000;

/** The condition that at least five connections of a device have ended within the last hour. */
export function isFlapping({ now }: DeviceScope): RawBuilder<boolean> {
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

const ofCertificates = ({ projectId }: DeviceScope, condition: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql<boolean>`d.device_id in (select c.device_id from device_certificates c join devices x using (device_id)
    where x.project_id = ${projectId} and ${condition})`;

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

/** The token that enrolled the device, by name or id. */
function enrolledBy(comparison: Comparison, { projectId }: DeviceScope): RawBuilder<boolean> {
  const one = { ...comparison, operator: '=' as const };
  const byId = textIs(sql`t.token_id`, { ...one, values: rawValues(comparison.values, 'deployment_id') });
  const isOne = sql<boolean>`d.enrolled_by in (select t.token_id from deployment_tokens t
    where t.project_id = ${projectId} and (${textIs(sql`t.name`, one)} or ${byId}))`;
  return comparison.operator === '!=' ? sql<boolean>`not ${isOne}` : isOne;
}

const tests: Tests = {
  id: (comparison) => textIs(sql`d.device_id`, { ...comparison, values: rawValues(comparison.values, 'd') }),
  name: (comparison) => textIs(sql`d.name`, comparison),
  hostname: (comparison) => textIs(sql`d.hostname`, comparison),
  connected: flag(live),
  flapping: flag(isFlapping),
  status: hasStatus,
  offline: ago(sql`d.last_seen_at`, offline),
  uptime: ago(sql`d.last_connected_at`, live),
  age: ago(sql`d.created_at`),
  cert: hasCertificate,
  certAge: certificateAge,
  token: enrolledBy,
  os: system('name'),
  arch: system('arch'),
  kernel: system('kernel'),
  node: (comparison, scope) => {
    const values = rawValues(comparison.values, 'cluster_node');
    return sql<boolean>`(${live(scope)} and ${textIs(sql`d.open_node`, { ...comparison, values })})`;
  },
};

const systemHas = (key: string) => (scope: DeviceScope) =>
  hasValue(systemProperties, [key], scope, undefined);

const present: Readonly<Record<string, (scope: DeviceScope) => RawBuilder<boolean>>> = {
  name: () => sql<boolean>`d.name is not null`,
  hostname: () => sql<boolean>`d.hostname is not null`,
  connected: live,
  flapping: isFlapping,
  offline: (scope) => sql<boolean>`(${offline(scope)} and d.last_seen_at is not null)`,
  uptime: live,
  cert: (scope) => ofCertificates(scope, sql<boolean>`true`),
  certAge: (scope) => ofCertificates(scope, sql<boolean>`c.status = 'Active'`),
  token: ({ projectId }) => sql<boolean>`d.enrolled_by in (
    select t.token_id from deployment_tokens t where t.project_id = ${projectId})`,
  os: systemHas('name'),
  arch: systemHas('arch'),
  kernel: systemHas('kernel'),
  node: live,
};
