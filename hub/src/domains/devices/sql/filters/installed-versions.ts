import { FilterError, testsOf, type Filter, type FilterValue } from '@corral/contract';
import { requirementProblem } from '@corral/expressions';
import { sql } from 'kysely';
import type { Database } from '../../../../platform/db/connect.ts';
import type { InstalledVersions } from './operation-conditions.ts';
import { versionsThatMeet } from './version-requirements.ts';

interface Row {
  readonly version_id: string;
  readonly name: string | null;
}

/** The versions that the values of `installed` mean: those of a package that devices of the project have, or those of them that meet a requirement. Throws a `FilterError`. */
export async function findInstalledVersions(
  tx: Database,
  filter: Filter,
  projectId: string,
): Promise<InstalledVersions> {
  const found = new Map<string, readonly string[]>();
  const values = testsOf(filter).flatMap((test) =>
    test.kind === 'compare' && test.field === 'installed' ? test.values : [],
  );
  for (const value of values) {
    const { path, requirement } = partsOf(value);
    const rows = await readVersions(tx, projectId, path);
    const fitting = requirement === undefined ? rows : await rowsThatMeet(rows, requirement, value.at);
    found.set(
      value.text,
      fitting.map(({ version_id }) => version_id),
    );
  }
  return found;
}

function partsOf({ text, at }: FilterValue): { path: string; requirement?: string } {
  const [, path, requirement] = /^([^/@]+\/[^@]+?)(?:@(.+))?$/s.exec(text) ?? [];
  if (path === undefined)
    throw new FilterError('write a repository and a package here, such as acme/app or acme/app@"<1.4".', at);
  if (requirement === undefined) return { path };
  const problem = requirementProblem(requirement);
  if (problem !== undefined) throw new FilterError(problem, at);
  return { path, requirement };
}

/** A name also meets itself, whatever it is. */
async function rowsThatMeet(rows: readonly Row[], requirement: string, at: number): Promise<Row[]> {
  const names = new Set(rows.flatMap(({ name }) => name ?? []));
  const meeting = new Set(await versionsThatMeet([...names], requirement, { field: 'installed', at }));
  return rows.filter(({ name }) => name !== null && (name === requirement || meeting.has(name)));
}

async function readVersions(tx: Database, projectId: string, path: string): Promise<Row[]> {
  const slash = path.indexOf('/');
  const { rows } = await sql<Row>`
    select v.version_id, v.name from repositories r join packages p using (repository_id) join package_versions v using (package_id)
    where r.name = ${path.slice(0, slash)} and p.name = ${path.slice(slash + 1)} and exists (
      select 1 from device_installs i join devices d using (device_id) where i.version_id = v.version_id and d.project_id = ${projectId})`.execute(
    tx,
  );
  return rows;
}
