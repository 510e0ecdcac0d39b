import { FilterError, findField, type Comparison, type Filter, type FilterFields } from '@corral/contract';
import { requirementProblem } from '@corral/expressions';
import { sql } from 'kysely';
import type { Database } from '../../../../platform/db/connect.ts';
import type { IndexedPaths } from '../indexed-paths.ts';
import { documentOf } from './device-conditions.ts';
import { maxText } from './index-sql.ts';
import { pathOf } from './json-sql.ts';
import { maxVersions, versionsThatMeet } from './version-requirements.ts';

const nothing: Filter = { kind: 'not', part: { kind: 'all' } };

/** The devices whose versions are compared. */
interface VersionScope {
  readonly projectId: string;
  readonly fields: FilterFields;
  readonly indexed: IndexedPaths;
}

/** Throws a `FilterError` for a text that is no version requirement. */
export function validateRequirement({ operator, values: [value] }: Comparison): void {
  const problem = operator === '@' && value !== undefined ? requirementProblem(value.text) : undefined;
  if (problem !== undefined) throw new FilterError(problem, value?.at ?? 0);
}

/** The filter with each version requirement as the versions of the project's devices that meet it. The requirements are valid. */
export async function withVersions(tx: Database, filter: Filter, scope: VersionScope): Promise<Filter> {
  if (filter.kind === 'not') return { kind: 'not', part: await withVersions(tx, filter.part, scope) };
  if ('parts' in filter) {
    const parts: Filter[] = [];
    for (const part of filter.parts) parts.push(await withVersions(tx, part, scope));
    return { kind: filter.kind, parts };
  }
  return filter.kind === 'compare' && filter.operator === '@' ? await versionsFor(tx, filter, scope) : filter;
}

async function versionsFor(tx: Database, comparison: Comparison, scope: VersionScope): Promise<Filter> {
  const { field, at, values } = comparison;
  const requirement = values[0]?.text ?? '';
  const texts = await textsOf(tx, comparison, scope);
  const found = await versionsThatMeet(texts, requirement, { field, at });
  const meeting = found.filter((text) => text.length <= maxText);
  if (meeting.length === 0) return nothing;
  return {
    ...comparison,
    operator: ':',
    values: meeting.map((text) => ({ text, isPrefix: false, isQuoted: true, at })),
  };
}

/** The different texts of a field, one more than are compared at most, longer ones clipped: from the property index by one look at it for each text, or from the documents. */
async function textsOf(
  tx: Database,
  { field, at }: Comparison,
  { projectId, fields, indexed }: VersionScope,
): Promise<string[]> {
  const { names, keys } = documentOf(findField(field, at, fields));
  const path = pathOf(keys);
  const keyIds = names.map((property) => indexed.keyOf({ property, path }));
  const documents = names.includes('')
    ? sql`select d.metadata as value from devices d where d.project_id = ${projectId}`
    : sql`select p.value from devices d join device_properties p using (device_id)
        where d.project_id = ${projectId} and p.name = any(${names})`;
  const texts = keyIds.every((keyId) => keyId !== undefined)
    ? sql`with recursive found as (
          select (select min(f.value_text) from device_facts f where f.key_id = k.id) as text, k.id
          from unnest(${keyIds}::integer[]) as k(id)
          union all
          select (select min(f.value_text) from device_facts f where f.key_id = found.id and f.value_text > found.text), found.id
          from found where found.text is not null
        ) select text from found where text is not null limit ${(maxVersions + 1) * keyIds.length}`
    : sql`select left(found #>> '{}', ${maxText + 1}) as text
        from (${documents}) as d, jsonb_path_query(d.value, ${`${path}[*][*]`}::jsonpath, '{}', true) as found
        where jsonb_typeof(found) = 'string'`;
  const { rows } = await sql<{ text: string }>`
    select distinct text from (${texts}) as texts limit ${maxVersions + 1}`.execute(tx);
  return rows.map(({ text }) => text);
}
