// What the other domains, and the commands of operators, use of this one.
export {
  findPathReader,
  isReadable,
  isWritable,
  mustOwnRepository,
  mustOwnRepositoryInvitation,
  mustReadAsset,
  mustReadPackage,
  mustReadRepository,
  mustReadVersion,
  mustShareRepository,
  mustWriteAsset,
  mustWritePackage,
  mustWriteRepository,
  mustSeeMembers,
  mustWriteVersion,
  ownsRepository,
  type AssetAccess,
  type PackageAccess,
  type Reader,
  type RepositoryAccess,
  type VersionAccess,
} from './policy/repositories.ts';
export { foldRepositoryCounts, repositoryCounts } from './sql/repository-counts.ts';
export { deleteRepositories } from './sql/repository-deletion.ts';
export { lockName, lockPackage, lockVersion } from './sql/repository-locks.ts';
export { forgetKeptNames, type RenameOutcome } from './sql/repository-names.ts';
export { readSummaries, type RepositorySummary } from './sql/repository-summaries.ts';
