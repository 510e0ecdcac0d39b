import type { CallInput, Id } from '@corral/contract';
import { actionPageQuery, actionQuery } from '../../data/action-query.ts';
import { everyFiveMinutes } from '../../data/intervals.ts';

/** Name, kind and files of a package. */
export const packageQuery = (packageId: Id<'package'>) =>
  actionQuery('repositories_GetPackageDetails', { packageId }, everyFiveMinutes);

type AskedVersions = Pick<CallInput<'repositories_QueryPackageVersions'>, 'search' | 'order' | 'after'>;

/** The first `limit` versions of a package with their tags, or those after a cursor, with a text, in an order; by default of all, newest first. */
export const packageVersionsQuery = (packageId: Id<'package'>, limit: number, asked: AskedVersions = {}) =>
  actionPageQuery('repositories_QueryPackageVersions', { packageId, limit, ...asked }, everyFiveMinutes);

/** The newest and the tagged versions of a package, with what differs from one to the next. */
export const packageLadderQuery = (packageId: Id<'package'>) =>
  actionQuery('repositories_GetPackageLadder', { packageId }, everyFiveMinutes);

/** Files, tags and metadata of a version. */
export const versionQuery = (versionId: Id<'packageVersion'>) =>
  actionQuery('repositories_GetPackageVersionDetails', { versionId }, everyFiveMinutes);

/** The version that a tag of a package points to, by the names of repository and package. */
export const taggedVersionQuery = (path: { repository: string; package: string; tag: string }) =>
  actionQuery('repositories_ResolvePackageVersionByPath', path, everyFiveMinutes);

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
