import { readList, type Executor } from '@corral/client';
import { ActionError, ids, type Id } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';
import { plainText } from '../output/plain-text.ts';

/** What commands say of an argument that is a version. */
export const versionHelp = 'repository/package@tag or @name, or the id of the version';

/** A version by its path: `repository/package@tag`. */
interface VersionPath {
  readonly repository: string;
  readonly package: string;
  /** A tag; `tag~1` is what it pointed at before its last move, `tag@2026-09-01` what it pointed at then. */
  readonly tag: string;
}

const isId = (kind: 'repository' | 'package' | 'packageVersion', text: string): boolean =>
  ids[kind].schema.safeParse(text).success;

/** The id of a repository given by id or name. Rejected with a CliError. */
export async function findRepository(hub: Executor, given: string): Promise<Id<'repository'>> {
  if (isId('repository', given)) return given as Id<'repository'>;
  if (/[/@]/.test(given)) throw new CliError('A repository is given by its name or id.', exitCodes.usage);
  const found = await hub.invoke('repositories_ResolveRepositoryName', { repository: given });
  if (found.result === 'Found') return found.repositoryId;
  throw new CliError(
    `There is no repository "${plainText(given)}" that you can access: see \`corral repositories list\`.`,
  );
}

/** Splits `repository/package`. Throws a CliError. */
export function packagePathOf(given: string): Pick<VersionPath, 'repository' | 'package'> {
  const [repository = '', name = '', ...more] = given.split('/');
  if (repository === '' || name === '' || more.length > 0 || given.includes('@'))
    throw new CliError('A package is given by repository/package, or by its id.', exitCodes.usage);
  return { repository, package: name };
}

/** The id of a package given by id or as `repository/package`. Rejected with a CliError. */
export async function findPackage(hub: Executor, given: string): Promise<Id<'package'>> {
  if (isId('package', given)) return given as Id<'package'>;
  const path = packagePathOf(given);
  const found = await hub.invoke('repositories_ResolvePackageByPath', path);
  if (found.result === 'Found') return found.packageId;
  throw new CliError(
    `There is no package "${plainText(given)}" that you can access: see \`corral packages list ${plainText(path.repository)}\`.`,
  );
}

/** Splits `repository/package@tag`, whose tag may be followed by `~1` or `@2026-09-01`. Throws a CliError. */
function versionPathOf(given: string): VersionPath {
  const at = given.indexOf('@');
  const tag = given.slice(at + 1);
  if (at < 1 || tag === '' || tag.includes('/'))
    throw new CliError('A version is given by repository/package@tag, or by its id.', exitCodes.usage);
  return { ...packagePathOf(given.slice(0, at)), tag };
}

/** The id of a version given by id or as `repository/package@tag`, else `repository/package@name`. Rejected with a CliError. */
export async function findVersion(hub: Executor, given: string): Promise<Id<'packageVersion'>> {
  if (isId('packageVersion', given)) return given as Id<'packageVersion'>;
  const path = versionPathOf(given);
  const resolved = await hub
    .invoke('repositories_ResolvePackageVersionByPath', path)
    .catch((error: unknown) => badTag(error));
  if ('result' in resolved && resolved.result === 'Found') return resolved.versionId;
  const [named, ...others] = await versionsOfName(hub, path);
  const packagePath = plainText(`${path.repository}/${path.package}`);
  if (named === undefined && 'error' in resolved) throw resolved.error;
  if (named === undefined)
    throw new CliError(
      `There is no version "${plainText(given)}" that you can access: see \`corral versions list ${packagePath}\`.`,
    );
  if (others.length > 0)
    throw new CliError(
      `Several versions have the name "${plainText(path.tag)}": give the id of the one that is meant, see \`corral versions list ${packagePath}\`.`,
      exitCodes.usage,
    );
  return named;
}

/** What is no tag may still be the name of a version, such as `1.2.0~rc1`. */
function badTag(error: unknown): { readonly error: ActionError } {
  if (error instanceof ActionError && error.kind === 'Invalid') return { error };
  throw error;
}

/** Versions of a package whose name is what was given as a tag. */
async function versionsOfName(hub: Executor, path: VersionPath): Promise<Id<'packageVersion'>[]> {
  const found = await hub.invoke('repositories_ResolvePackageByPath', path);
  if (found.result === 'NotFound') return [];
  const { packageId } = found;
  const search = { packageId, search: path.tag };
  const { versions } = await readList(hub, 'repositories_QueryPackageVersions', search);
  return versions.filter(({ name }) => name === path.tag).map(({ versionId }) => versionId);
}

/** Checks an id of an asset. Throws a CliError. */
export function assetIdOf(given: string): Id<'asset'> {
  if (ids.asset.schema.safeParse(given).success) return given as Id<'asset'>;
  throw new CliError('An asset is given by its id, repo_a_ and 22 symbols.', exitCodes.usage);
}
