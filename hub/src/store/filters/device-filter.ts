import {
  deviceFields,
  findField,
  ids,
  isFixedField,
  isFlagOf,
  validateComparison,
  parseFilter,
  testsOf,
  type Filter,
  type FilterFields,
  type FilterTest,
} from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../db/connect.ts';
import { findFactKeys, type FactKeys, type FactPlace } from '../fact-keys.ts';
import { anyId, anyText } from '../paging/searched-text.ts';
import { isConnected } from '../presence.ts';
import { comparisonSql, devicesSql, hasSql, isFlapping, type DeviceScope } from './device-tests.ts';
import type { Lookup } from './fact-sql.ts';
import { filterSql } from './filter-sql.ts';
import { textOccurs } from './text-sql.ts';

/** A filter of devices in SQL, as the ways in which a list may find what passes it. The statement's `devices` must be named `d`. */
export interface DeviceFilter {
  /** The condition, for a whole list of the project: what it asks for is read once, as sets. */
  readonly inSets: RawBuilder<boolean>;
  /** The same condition, for a part of a list: what it asks for is looked up for each device. Undefined where nothing is looked up. */
  readonly ofEach: RawBuilder<boolean> | undefined;
  /** The selections by an index that contain all devices that pass. */
  readonly candidates: readonly Candidates[];
}

/** Devices that may pass a filter. */
export interface Candidates {
  /** SQL that selects their ids by an index. */
  readonly devices: RawBuilder<unknown>;
  /** The condition that one of them passes, looked up for each. */
  readonly passes: RawBuilder<boolean>;
}

/** The filter of the devices of a project; undefined where all of them pass. Throws a `FilterError` of kind Invalid for a filter with a mistake. */
export async function readDeviceFilter(
  tx: Database,
  text: string | undefined,
  of: Pick<DeviceScope, 'projectId' | 'now'>,
): Promise<DeviceFilter | undefined> {
  const filter = parseFilter(text ?? '', isFlagOf(deviceFields));
  if (filter === undefined || filter.kind === 'all') return undefined;
  const fields = await fieldsFor(tx, filter, of.projectId);
  const condition = (part: Filter, facts: FactKeys, lookup: Lookup) =>
    filterSql(part, (test) => testSql(test, fields, { ...of, facts, lookup }));
  // Once without facts, to learn which the filter could use.
  const places: FactPlace[] = [];
  const byDocuments: FactKeys = { keyOf: (place) => void places.push(place) };
  condition(filter, byDocuments, 'each');
  const isLookedUp = places.length > 0 || testsOf(filter).some(isOfCertificates);
  const facts = places.length === 0 ? byDocuments : await findFactKeys(tx, of.projectId, places, of.now);
  return {
    inSets: condition(filter, facts, 'set'),
    ofEach: isLookedUp ? condition(filter, facts, 'each') : undefined,
    candidates: candidatesOf(filter, {
      devicesOf: (test) => devicesOf(test, fields, { ...of, facts, lookup: 'set' }),
      condition: (part) => condition(part, facts, 'each'),
    }),
  };
}

function isOfCertificates(test: FilterTest): boolean {
  return test.kind !== 'text' && (test.field === 'cert' || test.field === 'certAge');
}

interface CandidateParts {
  readonly devicesOf: (test: FilterTest) => RawBuilder<unknown> | undefined;
  readonly condition: (part: Filter) => RawBuilder<boolean>;
}

/** How many selections are compared with each other. */
const maxCandidates = 4;

/** Those of each part of an `and`; a part that is one test need not be tested again. */
function candidatesOf(filter: Filter, { devicesOf: ofTest, condition }: CandidateParts): Candidates[] {
  const parts = filter.kind === 'and' ? filter.parts : [filter];
  const candidates = parts.flatMap((part) => {
    const devices = anyOf(part, ofTest);
    if (devices === undefined) return [];
    const left = 'parts' in part ? parts : parts.filter((other) => other !== part);
    return [
      { devices, passes: condition(left.length === 0 ? { kind: 'all' } : { kind: 'and', parts: left }) },
    ];
  });
  return candidates.slice(0, maxCandidates);
}

/** An `or` passes what one of its parts selects; an `and` below it what the first of its parts does that an index finds. */
function anyOf(filter: Filter, ofTest: CandidateParts['devicesOf']): RawBuilder<unknown> | undefined {
  if (filter.kind === 'all' || filter.kind === 'not') return undefined;
  if (!('parts' in filter)) return ofTest(filter);
  const parts = filter.parts.map((part) => anyOf(part, ofTest));
  if (filter.kind === 'and') return parts.find((part) => part !== undefined);
  return parts.every((part) => part !== undefined) ? sql.join(parts, sql` union all `) : undefined;
}

function devicesOf(
  test: FilterTest,
  fields: FilterFields,
  scope: DeviceScope,
): RawBuilder<unknown> | undefined {
  if (test.kind !== 'compare' && test.kind !== 'has') return undefined;
  const found = findField(test.field, test.at, fields);
  return devicesSql(found, scope, test.kind === 'has' ? undefined : test);
}

/** The names of properties are read only for a filter that names one. */
async function fieldsFor(tx: Database, filter: Filter, projectId: string): Promise<FilterFields> {
  const isKnown = testsOf(filter).every(
    (test) => test.kind === 'text' || isFixedField(test.field, deviceFields),
  );
  if (isKnown) return deviceFields;
  const { rows } = await sql<{ name: string }>`
    select name from project_property_names where project_id = ${projectId} order by name limit ${maxProperties}`.execute(
    tx,
  );
  return { ...deviceFields, properties: rows.map(({ name }) => name) };
}

const maxProperties = 5_000;

const searchedColumns = [anyText(sql`d.name`), anyText(sql`d.hostname`), anyId(ids.device, sql`d.device_id`)];

function testSql(test: FilterTest, fields: FilterFields, scope: DeviceScope): RawBuilder<boolean> {
  if (test.kind === 'text') return textOccurs(searchedColumns, test);
  const found = findField(test.field, test.at, fields);
  if (test.kind === 'flag') return test.field === 'connected' ? isConnected(scope.now) : isFlapping(scope);
  if (test.kind === 'has') return hasSql(found, scope);
  validateComparison(test, found);
  return comparisonSql(test, found, scope);
}
