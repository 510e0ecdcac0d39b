import type { Id } from '@corral/contract';
import { actionPageQuery, actionQuery } from '../../data/action-query.ts';
import { everyFiveMinutes } from '../../data/intervals.ts';

/** How many packages of a repository, and versions of a package, are offered. */
const offered = 500;

/** A version with its tags and the name of its package. */
export const packageVersionQuery = (versionId: Id<'packageVersion'>) =>
  actionQuery('repositories_GetPackageVersionDetails', { versionId }, everyFiveMinutes);

/** The first packages of a repository. */
export const offeredPackagesQuery = (repositoryId: Id<'repository'>) =>
  actionPageQuery('repositories_QueryRepositoryPackages', { repositoryId, limit: offered }, everyFiveMinutes);

/** The newest versions of a package. */
export const offeredVersionsQuery = (packageId: Id<'package'>) =>
  actionPageQuery('repositories_QueryPackageVersions', { packageId, limit: offered }, everyFiveMinutes);
