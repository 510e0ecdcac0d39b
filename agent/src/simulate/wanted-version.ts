import type { Executor } from '@corral/client';
import { ids, type Id } from '@corral/contract';
import { isTable } from '../config-file.ts';
import { asVersion, type InstalledVersion } from './SimulatedSoftware.ts';

/**
 * The version that a property asks for: as the recipe `property` writes it, or by a path `repository/package/tag`, also with the id of a version in the place of the tag; undefined where there
 * is none. Rejected as calls are.
 */
export async function wantedVersion(
  executor: Executor,
  value: unknown,
): Promise<InstalledVersion | undefined> {
  const named = asVersion(value);
  if (named !== undefined) return named;
  const path = isTable(value) ? value['path'] : undefined;
  const [repository, packageName, tag] = typeof path === 'string' ? path.split('/') : [];
  if (repository === undefined || packageName === undefined || tag === undefined) return undefined;
  const versionId = await findVersion(executor, { repository, package: packageName, tag });
  if (versionId === undefined) return undefined;
  const { name } = await executor.invoke('repositories_GetPackageVersionDetails', { versionId });
  return { repository, package: packageName, version: name ?? versionId };
}

async function findVersion(
  executor: Executor,
  path: { repository: string; package: string; tag: string },
): Promise<Id<'packageVersion'> | undefined> {
  if (ids.packageVersion.schema.safeParse(path.tag).success) return path.tag as Id<'packageVersion'>;
  const found = await executor.invoke('repositories_ResolvePackageVersionByPath', path);
  return found.result === 'Found' ? (found.versionId as Id<'packageVersion'>) : undefined;
}
