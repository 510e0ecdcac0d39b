import type { Id } from '@corral/contract';
import { actionQuery } from '../../data/action-query.ts';
import { everyFiveMinutes } from '../../data/intervals.ts';

/** Name, kind and files of a package. */
export const packageQuery = (packageId: Id<'package'>) =>
  actionQuery('repositories_GetPackageDetails', { packageId }, everyFiveMinutes);

/** The newest `limit` versions of a package, newest first, with their tags. */
export const packageVersionsQuery = (packageId: Id<'package'>, limit: number) =>
  actionQuery('repositories_QueryPackageVersions', { packageId, limit }, everyFiveMinutes);

/** Files, tags and metadata of a version. */
export const versionQuery = (versionId: Id<'packageVersion'>) =>
  actionQuery('repositories_GetPackageVersionDetails', { versionId }, everyFiveMinutes);

/** The last `limit` changes of the tags of a package, or of one tag, newest first. */
export const tagHistoryQuery = (packageId: Id<'package'>, tag: string | undefined, limit: number) =>
  actionQuery(
    'repositories_QueryTagHistory',
    { packageId, limit, ...(tag === undefined ? {} : { tag }) },
    everyFiveMinutes,
  );

/** The differences between two versions of a package. */
export const comparisonQuery = (fromVersionId: Id<'packageVersion'>, toVersionId: Id<'packageVersion'>) =>
  actionQuery('repositories_CompareVersions', { fromVersionId, toVersionId }, everyFiveMinutes);
