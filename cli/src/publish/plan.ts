import { isDeepStrictEqual } from 'node:util';
import { mapConcurrently, readList, type Executor } from '@corral/client';
import type { DigestedFile } from '@corral/client/node';
import { isStored, maxDigestsAtOnce, type Id, type Output } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';
import { findRepository } from '../hub/find-repository.ts';
import { findTags, listVersions, type ListedVersion, type TagState } from '../hub/package-tags.ts';
import { plainText } from '../output/plain-text.ts';
import type { Manifest, ManifestTag } from './manifest.ts';
import type { PublishedFile } from './publication.ts';

type Details = Output<'repositories_GetPackageVersionDetails'>;

/** A file that was hashed. */
export interface PlannedFile extends PublishedFile {
  readonly content: DigestedFile;
}

/** What happens to a tag: it may not move, or nothing happens. */
export interface PlannedTag extends ManifestTag {
  readonly change: 'new' | 'moves' | 'locks' | 'stays' | 'conflict';
  /** What it points at now. */
  readonly from: ListedVersion | undefined;
}

/** What publishing will do. */
export interface Plan {
  readonly manifest: Manifest;
  readonly repositoryId: Id<'repository'>;
  /** Undefined if the package will be created. */
  readonly packageId: Id<'package'> | undefined;
  /** Whether it is published by a token of a job, which may not complete what another one has begun. */
  readonly isOfJob: boolean;
  readonly files: readonly PlannedFile[];
  /** The version that has exactly these files, or some of them since an earlier run was interrupted; undefined if one will be created. */
  readonly version: Details | undefined;
  readonly tags: readonly PlannedTag[];
}

/** How many versions of the same name are compared. */
const maxCompared = 100;

/** Where to publish. Rejected with a CliError when there is no such repository, or when the caller may not write to it. */
export async function findTarget(
  hub: Executor,
  manifest: Manifest,
): Promise<Pick<Plan, 'repositoryId' | 'packageId'>> {
  const repositoryId = await findRepository(hub, manifest.repository).catch((cause: unknown) => {
    // Only that there is none: a hub that is away or refuses the token must not be taken for that.
    if (!(cause instanceof CliError) || cause.exitCode !== exitCodes.failed) throw cause;
    const create = `create it with \`corral repositories create ${JSON.stringify(plainText(manifest.repository))}\``;
    throw new CliError(`${cause.message.split(':', 1)[0]}: ${create}.`, cause.exitCode, { cause });
  });
  const { canWrite } = await hub.invoke('repositories_GetRepositoryDetails', { repositoryId });
  if (!canWrite)
    throw new CliError(
      `Only members of ${plainText(manifest.repository)} may publish to it.`,
      exitCodes.denied,
    );
  const path = { repository: manifest.repository, package: manifest.package };
  const found = await hub.invoke('repositories_ResolvePackageByPath', path);
  return { repositoryId, packageId: found.result === 'Found' ? found.packageId : undefined };
}

/** Compares a publication with what the hub has; changes nothing. */
export async function planOf(
  hub: Executor,
  manifest: Manifest,
  files: readonly PlannedFile[],
  target: Pick<Plan, 'repositoryId' | 'packageId' | 'isOfJob'>,
): Promise<Plan> {
  const { packageId, isOfJob } = target;
  const [versions, states] =
    packageId === undefined
      ? [[], new Map<string, TagState>()]
      : await Promise.all([
          listVersions(hub, packageId, manifest.version),
          findTags(
            hub,
            packageId,
            manifest.tags.map(({ name }) => name),
          ),
        ]);
  const found = await findPublished(hub, versions, manifest, files);
  const version = isOfJob && !isFinished(found, manifest, files) ? undefined : found;
  const tags = manifest.tags.map((tag) => plannedTag(tag, states.get(tag.name), version));
  return { manifest, files, ...target, version, tags };
}

/** Whether a version has all files and, as they are set last and together, tags. */
function isFinished(
  version: Details | undefined,
  manifest: Manifest,
  files: readonly PlannedFile[],
): boolean {
  return version?.assets.length === files.length && (manifest.tags.length === 0 || version.tags.length > 0);
}

/** The preferred version with the same name, metadata and files, or else one without tags that lacks only files. */
async function findPublished(
  hub: Executor,
  versions: readonly ListedVersion[],
  manifest: Manifest,
  files: readonly PlannedFile[],
): Promise<Details | undefined> {
  const named = byPreference(versions, manifest)
    .filter(({ name }) => name === manifest.version?.normalize())
    .slice(0, maxCompared);
  const details = await mapConcurrently(named, ({ versionId }) =>
    hub.invoke('repositories_GetPackageVersionDetails', { versionId }),
  );
  const similar = details.filter((version) => isPartOf(version, manifest, files));
  return (
    similar.find(({ assets }) => assets.length === files.length) ??
    similar.find(({ tags }) => tags.length === 0)
  );
}

/**
 * Those with locked tags of the manifest first, then those with most of its tags, then the newest: of several equal versions, which runs at the same time may make, all
 * later runs choose the one that has what cannot move.
 */
function byPreference(versions: readonly ListedVersion[], { tags }: Manifest): ListedVersion[] {
  const wanted = new Set(tags.map(({ name }) => name));
  const ranked = versions.map((version) => {
    const has = version.tags.filter(({ tag }) => wanted.has(tag));
    return { version, tagged: has.length, locked: has.filter(({ locked }) => locked).length };
  });
  return ranked
    .toSorted((one, other) => other.locked - one.locked || other.tagged - one.tagged)
    .map(({ version }) => version);
}

function isPartOf({ metadata, assets }: Details, manifest: Manifest, files: readonly PlannedFile[]): boolean {
  if (!isDeepStrictEqual(metadata, manifest.metadata)) return false;
  const wanted = new Map(files.map((file) => [file.filename, file]));
  return assets.every((asset) => {
    const file = wanted.get(asset.filename);
    return file?.content.digest === asset.digest && isDeepStrictEqual(file.metadata, asset.metadata);
  });
}

function plannedTag(tag: ManifestTag, state: TagState | undefined, version: Details | undefined): PlannedTag {
  const from = state?.version;
  if (state === undefined) return { ...tag, change: 'new', from };
  if (from?.versionId !== version?.versionId)
    return { ...tag, change: state.locked ? 'conflict' : 'moves', from };
  return { ...tag, change: tag.locked && !state.locked ? 'locks' : 'stays', from };
}

/** Whether the hub has all of it already, and knows of no damage. */
export function isDone({ version, files, tags }: Plan): boolean {
  const isComplete = version?.assets.length === files.length && version.assets.every(isStored);
  return isComplete && tags.every(({ change }) => change === 'stays');
}

/** The error for locked tags that would have to move, which ends with what that means; undefined if there are none. */
export function conflictOf({ tags }: Plan, ending: string): CliError | undefined {
  const locked = tags.filter(({ change }) => change === 'conflict');
  if (locked.length === 0) return undefined;
  const list = locked
    .map(({ name, from }) => `tag ${plainText(name)} is locked at the version ${labelOf(from)}`)
    .join(', the ');
  return new CliError(`The ${list}: publish under another tag. ${ending}`, exitCodes.conflict);
}

/** A version by its name, or by its id where it has none. */
export function labelOf(version: Pick<ListedVersion, 'name' | 'versionId'> | undefined): string {
  return plainText(version?.name ?? version?.versionId ?? '');
}

/** What the repository knows of the digests of a plan. */
export interface KnownDigests {
  /** Those whose bytes it has. */
  readonly present: ReadonlySet<string>;
  /** Those that count in its quotas, also without bytes. */
  readonly counted: ReadonlySet<string>;
}

/** What the repository knows of the digests of the files. */
export async function knownDigests(
  hub: Executor,
  { repositoryId, files, version }: Plan,
): Promise<KnownDigests> {
  const present = new Set(version?.assets.filter(isStored).map(({ digest }) => digest));
  const counted = new Set(version?.assets.map(({ digest }) => digest));
  if (files.every(({ content }) => present.has(content.digest))) return { present, counted };
  const digests = [...new Set(files.map(({ content }) => content.digest))];
  for (let start = 0; start < digests.length; start += maxDigestsAtOnce) {
    const some = digests.slice(start, start + maxDigestsAtOnce);
    const input = { repositoryId, digests: some };
    const { assets } = await readList(hub, 'repositories_QueryRepositoryAssets', input);
    for (const asset of assets) {
      counted.add(asset.digest);
      if (isStored(asset)) present.add(asset.digest);
    }
  }
  return { present, counted };
}
