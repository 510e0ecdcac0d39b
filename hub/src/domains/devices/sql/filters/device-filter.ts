import {
  deviceFields,
  findField,
  isFixedField,
  flagOf,
  validateComparison,
  parseFilter,
  possibleProperties,
  testsOf,
  type Filter,
  type FilterFields,
  type FilterTest,
} from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../../platform/db/connect.ts';
import { findIndexedPaths, type IndexedPaths, type PropertyPath } from '../indexed-paths.ts';
import { findUsedNames, readListedNames } from '../property-names.ts';
import { comparisonSql, devicesSql, hasSql, type DeviceScope } from './device-conditions.ts';
import { devicesWithWords, hasTrigram, textFits, wordOf, type Word } from './device-text-sql.ts';
import type { Lookup } from './index-sql.ts';
import { findInstalledVersions } from './installed-versions.ts';
import { validateRequirement, withVersions } from './version-filter.ts';
import { filterSql } from '../../../../platform/db/filters/filter-sql.ts';

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

/** The filter of the devices of a project; undefined where all of them pass. What it asks for is noted through `db`, outside of a search that may be ended. Throws a `FilterError` of kind Invalid for a filter with a mistake. */
export async function readDeviceFilter(
  tx: Database,
  text: string | undefined,
  { db, ...given }: Pick<DeviceScope, 'projectId' | 'now'> & { readonly db: Database },
): Promise<DeviceFilter | undefined> {
  const written = parseFilter(text ?? '', flagOf(deviceFields));
  if (written === undefined || written.kind === 'all') return undefined;
  const of = { ...given, installed: await findInstalledVersions(tx, written, given.projectId) };
  const fields = await fieldsFor(tx, written, of.projectId);
  const condition = (part: Filter, indexed: IndexedPaths, lookup: Lookup) =>
    filterSql(part, (test) => testSql(test, fields, { ...of, indexed, lookup }));
  // Once without the property index, to learn which paths the filter could use.
  const paths: PropertyPath[] = [];
  const byDocuments: IndexedPaths = { keyOf: (path) => void paths.push(path) };
  condition(written, byDocuments, 'each');
  const isLookedUp = paths.length > 0 || testsOf(written).some(isLookedUpTest);
  const indexed =
    paths.length === 0 ? byDocuments : await findIndexedPaths({ tx, db }, of.projectId, paths, of.now);
  const filter = await withVersions(tx, written, { projectId: of.projectId, fields, indexed });
  return {
    inSets: condition(filter, indexed, 'set'),
    ofEach: isLookedUp ? condition(filter, indexed, 'each') : undefined,
    candidates: candidatesOf(filter, {
      ofTest: (test) => devicesOf(test, fields, { ...of, indexed, lookup: 'set' }),
      ofWords: (words) => devicesWithWords(words, of.projectId),
      condition: (part) => condition(part, indexed, 'each'),
    }),
  };
}

const lookedUpFields: ReadonlySet<string> = new Set([
  'cert',
  'certAge',
  'certEnds',
  'cmd',
  'can',
  'installed',
  'op',
]);

function isLookedUpTest(test: FilterTest): boolean {
  return test.kind !== 'text' && lookedUpFields.has(test.field);
}

/** How parts of a filter become SQL. */
interface PartSql {
  /** What a test selects by an index, if there is one. */
  readonly ofTest: (test: FilterTest) => RawBuilder<unknown> | undefined;
  readonly ofWords: (words: readonly Word[]) => RawBuilder<unknown>;
  readonly condition: (part: Filter) => RawBuilder<boolean>;
}

/** How many selections are compared with each other. */
const maxCandidates = 4;

function candidatesOf(filter: Filter, toSql: PartSql): Candidates[] {
  return selectionsOf(filter, toSql)
    .slice(0, maxCandidates)
    .map(({ left, ...selection }) => ({
      ...selection,
      passes: toSql.condition(left.length === 0 ? { kind: 'all' } : { kind: 'and', parts: left }),
    }));
}

/** What the parts of an `and` select, those by an index first, each with the parts that are still to be tested: all its words together, and each other part. */
function selectionsOf(filter: Filter, toSql: PartSql): (Selection & { readonly left: readonly Filter[] })[] {
  const all = filter.kind === 'and' ? filter.parts : [filter];
  const words = all.flatMap((part) => wordOf(part) ?? []);
  const others = all.filter((part) => wordOf(part) === undefined);
  const ofWords =
    words.length === 0
      ? []
      : [{ devices: toSql.ofWords(words), byIndex: words.some(hasTrigram), left: others }];
  const ofOthers = others.flatMap((part) => {
    const selection = selectionOf(part, toSql);
    const left = 'parts' in part ? all : all.filter((other) => other !== part);
    return selection === undefined ? [] : [{ ...selection, left }];
  });
  return [...ofWords, ...ofOthers].toSorted((one, other) => Number(other.byIndex) - Number(one.byIndex));
}

/** An `or` passes what one of its parts selects; an `and` in it the first of what it selects. */
function selectionOf(part: Filter, toSql: PartSql): Selection | undefined {
  if (part.kind === 'all' || part.kind === 'not') return undefined;
  if (!('parts' in part)) {
    const devices = toSql.ofTest(part);
    return devices === undefined ? undefined : { devices, byIndex: true };
  }
  if (part.kind === 'and') return selectionsOf(part, toSql)[0];
  const selections = part.parts.map((one) => selectionsOf(one, toSql)[0]);
  if (!selections.every((selection) => selection !== undefined)) return undefined;
  const union = selections.map(({ devices }) => devices);
  return { devices: sql.join(union, sql` union all `), byIndex: selections.every(({ byIndex }) => byIndex) };
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

/**
 * The names of properties are read only for a filter that names one. Where the list of the project is incomplete, the names that the filter may mean are looked up as well: a property
 * that some device has is never an unknown field.
 */
async function fieldsFor(tx: Database, filter: Filter, projectId: string): Promise<FilterFields> {
  const asked = testsOf(filter).flatMap((test) =>
    test.kind === 'text' || isFixedField(test.field, deviceFields) ? [] : [test.field],
  );
  if (asked.length === 0) return deviceFields;
  const { names, isIncomplete } = await readListedNames(tx, projectId);
  const meant = isIncomplete ? [...new Set(asked.flatMap(possibleProperties))] : [];
  const found = meant.length === 0 ? [] : await findUsedNames(tx, projectId, meant);
  return { ...deviceFields, properties: new Set([...names, ...found]) };
}

function testSql(test: FilterTest, fields: FilterFields, scope: DeviceScope): RawBuilder<boolean> {
  if (test.kind === 'text') return textFits(test);
  const found = findField(test.field, test.at, fields);
  // A flag stands for the rows that have it.
  if (test.kind !== 'compare') return hasSql(found, scope);
  validateComparison(test, found);
  validateRequirement(test);
  return comparisonSql(test, found, scope);
}
