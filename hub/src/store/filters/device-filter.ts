import {
  deviceFields,
  findField,
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
import { isConnected } from '../presence.ts';
import { comparisonSql, devicesSql, hasSql, isFlapping, type DeviceScope } from './device-tests.ts';
import { devicesWithText, hasTrigram, textFits } from './device-text-sql.ts';
import type { Lookup } from './fact-sql.ts';
import { filterSql } from './filter-sql.ts';

/** A filter of devices in SQL, as the ways in which a list may find what passes it. The statement's `devices` must be named `d`. */
export interface DeviceFilter {
  /** The condition, for a whole list of the project: what it asks for is read once, as sets. */
  readonly inSets: RawBuilder<boolean>;
  /** The same condition, for a part of a list: what it asks for is looked up for each device. Undefined where nothing is looked up. */
  readonly ofEach: RawBuilder<boolean> | undefined;
  /** Selections that contain all devices that pass. */
  readonly candidates: readonly Candidates[];
}

/** Devices that may pass a filter. */
export interface Candidates extends Selection {
  /** The condition that one of them passes, looked up for each. */
  readonly passes: RawBuilder<boolean>;
}

/** SQL that selects the ids of devices. */
interface Selection {
  readonly devices: RawBuilder<unknown>;
  /** Whether an index finds them; otherwise the texts of all devices of the project are read. */
  readonly byIndex: boolean;
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
  const isLookedUp = places.length > 0 || testsOf(filter).some(isInAnotherTable);
  const facts = places.length === 0 ? byDocuments : await findFactKeys(tx, of.projectId, places, of.now);
  return {
    inSets: condition(filter, facts, 'set'),
    ofEach: isLookedUp ? condition(filter, facts, 'each') : undefined,
    candidates: candidatesOf(filter, {
      selectionOf: (test, isNegated) =>
        selectionOfTest(test, isNegated, fields, { ...of, facts, lookup: 'set' }),
      condition: (part) => condition(part, facts, 'each'),
    }),
  };
}

function isInAnotherTable(test: FilterTest): boolean {
  return test.kind === 'text' || test.field === 'cert' || test.field === 'certAge';
}

interface CandidateParts {
  readonly selectionOf: (test: FilterTest, isNegated: boolean) => Selection | undefined;
  readonly condition: (part: Filter) => RawBuilder<boolean>;
}

/** How many selections are compared with each other. */
const maxCandidates = 4;

/** Those of each part of an `and`; a part that is one test need not be tested again. */
function candidatesOf(filter: Filter, { selectionOf: ofTest, condition }: CandidateParts): Candidates[] {
  const parts = filter.kind === 'and' ? filter.parts : [filter];
  const candidates = parts.flatMap((part) => {
    const selection = selectionOf(part, ofTest);
    if (selection === undefined) return [];
    const left = 'parts' in part ? parts : parts.filter((other) => other !== part);
    return [
      { ...selection, passes: condition(left.length === 0 ? { kind: 'all' } : { kind: 'and', parts: left }) },
    ];
  });
  return candidates.toSorted(byIndexFirst).slice(0, maxCandidates);
}

function byIndexFirst(left: Selection, right: Selection): number {
  return Number(right.byIndex) - Number(left.byIndex);
}

/** An `or` passes what one of its parts selects; an `and` below it what one of its parts does, by an index if there is one. */
function selectionOf(filter: Filter, ofTest: CandidateParts['selectionOf']): Selection | undefined {
  if (filter.kind === 'all') return undefined;
  if (filter.kind === 'not') return isTest(filter.part) ? ofTest(filter.part, true) : undefined;
  if (isTest(filter)) return ofTest(filter, false);
  const parts = filter.parts.map((part) => selectionOf(part, ofTest));
  if (filter.kind === 'and') return parts.filter((part) => part !== undefined).toSorted(byIndexFirst)[0];
  if (!parts.every((part) => part !== undefined)) return undefined;
  return {
    devices: sql.join(
      parts.map(({ devices }) => devices),
      sql` union all `,
    ),
    byIndex: parts.every(({ byIndex }) => byIndex),
  };
}

function isTest(filter: Filter): filter is FilterTest {
  return !('parts' in filter) && filter.kind !== 'all' && filter.kind !== 'not';
}

function selectionOfTest(
  test: FilterTest,
  isNegated: boolean,
  fields: FilterFields,
  scope: DeviceScope,
): Selection | undefined {
  if (test.kind === 'text')
    return {
      devices: devicesWithText(test, scope, isNegated),
      byIndex: !isNegated && hasTrigram(test.text),
    };
  if (isNegated || test.kind === 'flag') return undefined;
  const found = findField(test.field, test.at, fields);
  const devices = devicesSql(found, scope, test.kind === 'has' ? undefined : test);
  return devices === undefined ? undefined : { devices, byIndex: true };
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

function testSql(test: FilterTest, fields: FilterFields, scope: DeviceScope): RawBuilder<boolean> {
  if (test.kind === 'text') return textFits(test, scope);
  const found = findField(test.field, test.at, fields);
  if (test.kind === 'flag') return test.field === 'connected' ? isConnected(scope.now) : isFlapping(scope);
  if (test.kind === 'has') return hasSql(found, scope);
  validateComparison(test, found);
  return comparisonSql(test, found, scope);
}
