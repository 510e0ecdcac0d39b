import { mapConcurrently, type Executor } from '@corral/client';
import {
  retryingExecutor,
  uploadAsset,
  withRetries,
  type RetryOptions,
  type UploadOutcome,
} from '@corral/client/node';
import type { Id } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';
import { orConflict } from '../hub/conflict.ts';
import { isTagConflict } from '../hub/package-tags.ts';
import type { Transfers } from '../commands/transfers.ts';
import { planOf, type Plan, type PlannedFile } from './plan.ts';

const filesAtOnce = 4;

/** A file that the hub has. */
export interface StoredFile extends PlannedFile, UploadOutcome {}

/** What publishing did. */
export interface Published {
  readonly packageId: Id<'package'>;
  readonly versionId: Id<'packageVersion'>;
  readonly files: readonly StoredFile[];
}

/**
 * Uploads what is missing, then makes the version with all its files, and sets the tags last, so that no tag points at an incomplete version. Run
 * again after a failure it goes on from there. While the hub is away it waits.
 */
export async function applyPlan(
  direct: Executor,
  plan: Plan,
  transfers: Transfers,
  retrying: RetryOptions,
): Promise<Published> {
  const hub = retryingExecutor(direct, retrying);
  const send = (file: PlannedFile): Promise<StoredFile> => store(direct, plan, file, transfers);
  const files = await mapConcurrently(plan.files, send, filesAtOnce);
  const packageId = plan.packageId ?? (await createPackage(hub, plan));
  const versionId = plan.version?.versionId ?? (await createVersion(direct, plan, packageId, retrying));
  const present = new Set(plan.version?.assets.map(({ filename }) => filename));
  const missing = files.filter(({ filename }) => !present.has(filename));
  await mapConcurrently(missing, (file) => attach(hub, versionId, file), filesAtOnce);
  await setTags(hub, plan, versionId);
  return { packageId, versionId, files };
}

async function store(
  hub: Executor,
  plan: Plan,
  file: PlannedFile,
  transfers: Transfers,
): Promise<StoredFile> {
  const { http, signal, view } = transfers;
  const { onProgress, onRetry, onEnd } = view.start(file.filename);
  const { repositoryId } = plan;
  try {
    const options = { executor: hub, http, repositoryId, signal, onProgress, onRetry };
    return { ...file, ...(await uploadAsset(file.content, options)) };
  } finally {
    onEnd();
  }
}

async function createPackage(hub: Executor, { repositoryId, manifest }: Plan): Promise<Id<'package'>> {
  const { kind, package: name, repository } = manifest;
  const input = { repositoryId, name, ...(kind === undefined ? {} : { kind }) };
  const created = await hub.invoke('repositories_CreatePackage', input);
  if (created.result === 'Created') return created.packageId;
  // Somebody else created it meanwhile.
  const found = await hub.invoke('repositories_ResolvePackageByPath', { repository, package: name });
  if (found.result === 'Found') return found.packageId;
  throw new CliError(`The package ${name} was created and deleted by others meanwhile: try again.`);
}

function createVersion(
  hub: Executor,
  { manifest, files, repositoryId }: Plan,
  packageId: Id<'package'>,
  retrying: RetryOptions,
): Promise<Id<'packageVersion'>> {
  const { version: name, metadata } = manifest;
  const input = { packageId, tags: [], metadata, ...(name === undefined ? {} : { name }) };
  let isRepeated = false;
  return withRetries(async () => {
    // The answer to the attempt before may have been lost after it succeeded.
    const made = isRepeated
      ? (await planOf(hub, manifest, files, { repositoryId, packageId })).version
      : undefined;
    isRepeated = true;
    return made?.versionId ?? (await hub.invoke('repositories_CreatePackageVersion', input)).versionId;
  }, retrying);
}

async function attach(hub: Executor, versionId: Id<'packageVersion'>, file: StoredFile): Promise<void> {
  const { filename, assetId, metadata } = file;
  const input = { versionId, assetId, filename, metadata };
  const { result } = await hub.invoke('repositories_AddPackageVersionAsset', input);
  if (result === 'Added') return;
  const { assets } = await hub.invoke('repositories_GetPackageVersionDetails', { versionId });
  if (assets.some((asset) => asset.filename === filename && asset.assetId === assetId)) return;
  throw new CliError(
    `Somebody else added another ${JSON.stringify(filename)} meanwhile: try again.`,
    exitCodes.conflict,
  );
}

async function setTags(hub: Executor, { tags }: Plan, versionId: Id<'packageVersion'>): Promise<void> {
  const changed = tags.filter(({ change }) => change !== 'stays');
  if (changed.length === 0) return;
  const requests = changed.map(({ name, locked }) => ({ tag: name, locked, reassign: true }));
  const names = changed.map(({ name }) => name);
  await orConflict(hub.invoke('repositories_TagPackageVersion', { versionId, tags: requests }), () =>
    isTagConflict(hub, versionId, names, { mayMove: true, isRemoval: false }),
  );
}
