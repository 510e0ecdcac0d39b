import {
  deviceFields,
  findField,
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
import { isConnected } from '../presence.ts';
import { comparisonSql, hasSql, isFlapping, type DeviceScope } from './device-tests.ts';
import { filterSql } from './filter-sql.ts';
import { textOccurs } from './text-sql.ts';

/**
 * The condition that a device passes a filter; the statement's `devices` must be named `d`, and be those of the project. Throws a `FilterError` of kind Invalid for
 * a filter with a mistake.
 */
export async function deviceFilterSql(
  tx: Database,
  text: string | undefined,
  of: Omit<DeviceScope, 'facts'>,
): Promise<RawBuilder<boolean>> {
  const filter = parseFilter(text ?? '', isFlagOf(deviceFields));
  if (filter === undefined) return sql<boolean>`true`;
  const fields = await fieldsFor(tx, filter, of.projectId);
  const condition = (facts: FactKeys) => filterSql(filter, (test) => testSql(test, fields, { ...of, facts }));
  // Once without facts, to learn which the filter could use.
  const places: FactPlace[] = [];
  const byDocuments = condition({ keyOf: (place) => void places.push(place) });
  return places.length === 0 ? byDocuments : condition(await findFactKeys(tx, of.projectId, places, of.now));
}

/** The names of properties are read only for a filter that names one. */
async function fieldsFor(tx: Database, filter: Filter, projectId: string): Promise<FilterFields> {
  const isKnown = testsOf(filter).every((test) => test.kind === 'text' || isFixed(test.field));
  if (isKnown) return deviceFields;
  const { rows } = await sql<{ name: string }>`
    select name from project_property_names where project_id = ${projectId} order by name limit ${maxProperties}`.execute(
    tx,
  );
  return { ...deviceFields, properties: rows.map(({ name }) => name) };
}

const maxProperties = 5_000;

function isFixed(field: string): boolean {
  const { named, groups = [] } = deviceFields;
  return Object.hasOwn(named, field) || groups.some((group) => field.startsWith(`${group}.`));
}

function testSql(test: FilterTest, fields: FilterFields, scope: DeviceScope): RawBuilder<boolean> {
  if (test.kind === 'text') return textOccurs([sql`d.name`, sql`d.hostname`, sql`'d_' || d.device_id`], test);
  const found = findField(test.field, test.at, fields);
  if (test.kind === 'flag') return test.field === 'connected' ? isConnected(scope.now) : isFlapping(scope);
  if (test.kind === 'has') return hasSql(found, scope);
  validateComparison(test, found);
  return comparisonSql(test, found, scope);
}
