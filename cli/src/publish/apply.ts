import { mapConcurrently, type Executor } from '@corral/client';
import {
  retryingExecutor,
  uploadAsset,
  withRetries,
  type RetryOptions,
  type UploadOutcome,
} from '@corral/client/node';
import { ActionError, type Id } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';
import { orConflict } from '../hub/conflict.ts';
import { addFile } from '../hub/file-owner.ts';
import { isTagConflict } from '../hub/package-tags.ts';
import type { Transfers } from '../commands/transfers.ts';
import { conflictOf, isDone, planOf, type Plan, type PlannedFile } from './plan.ts';

const filesAtOnce = 4;
/** How often other runs may change what this one builds on. */
const maxAttempts = 5;

/** A file that the hub has. */
export interface StoredFile extends PlannedFile, UploadOutcome {}

/** What publishing did. */
export interface Published {
  /** The plan that was carried out: another one than before if somebody else published meanwhile. */
  readonly plan: Plan;
  /** Whether somebody else has published all of it meanwhile, so that nothing of this run is left. */
  readonly isUnchanged: boolean;
  readonly packageId: Id<'package'>;
  readonly versionId: Id<'packageVersion'>;
  readonly files: readonly StoredFile[];
}

/**
 * Uploads what is missing, makes the version with all its files, and sets the tags last, so that no tag points at an incomplete version.
 * Waits while the hub is away; can be repeated after a failure. Rejected with a CliError for a tag that was locked elsewhere meanwhile.
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
  const { repositoryId, isOfJob } = plan;
  const target = { repositoryId, packageId, isOfJob };
  const create = (): Promise<MadeVersion> => createVersion(direct, { ...plan, ...target }, retrying);
  let current: Plan = { ...plan, ...target };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const versionId = await publishVersion(hub, current, files, create);
      return { plan: current, isUnchanged: false, packageId, versionId, files };
    } catch (error) {
      if (attempt === maxAttempts || !(await isOvertaken(hub, current, error))) throw error;
    }
    current = await planOf(hub, plan.manifest, files, target);
    const conflict = conflictOf(current, 'Nothing was published.');
    if (conflict !== undefined) throw conflict;
    if (current.version !== undefined && isDone(current))
      return { plan: current, isUnchanged: true, packageId, versionId: current.version.versionId, files };
  }
}

interface MadeVersion {
  readonly versionId: Id<'packageVersion'>;
  /** False if another run may have made it. */
  readonly isOwn: boolean;
}

/** Completes and tags the version of a plan, or a new one; a new one that cannot have its tags is deleted. */
async function publishVersion(
  hub: Executor,
  plan: Plan,
  files: readonly StoredFile[],
  create: () => Promise<MadeVersion>,
): Promise<Id<'packageVersion'>> {
  const { versionId, isOwn } =
    plan.version === undefined ? await create() : { versionId: plan.version.versionId, isOwn: false };
  const present = new Set(plan.version?.assets.map(({ filename }) => filename));
  const missing = files.filter(({ filename }) => !present.has(filename));
  await mapConcurrently(missing, (file) => attach(hub, versionId, file), filesAtOnce);
  try {
    await setTags(hub, plan, versionId);
  } catch (error) {
    if (isOwn && isConflict(error) && !plan.isOfJob) await deleteUntagged(hub, versionId);
    throw error;
  }
  return versionId;
}

const isConflict = (error: unknown): boolean =>
  error instanceof CliError && error.exitCode === exitCodes.conflict;

const isInvalid = (error: unknown): boolean => error instanceof ActionError && error.kind === 'Invalid';

/** Deletes a version unless another run has completed and tagged it. */
async function deleteUntagged(hub: Executor, versionId: Id<'packageVersion'>): Promise<void> {
  try {
    // A hub of an older release ignores the condition.
    const { tags } = await hub.invoke('repositories_GetPackageVersionDetails', { versionId });
    if (tags.length === 0)
      await hub.invoke('repositories_DeletePackageVersion', { versionId, onlyIfUntagged: true });
  } catch (error) {
    // It is gone, perhaps by an attempt whose answer was lost, or has just got a tag.
    if (!isInvalid(error)) throw error;
  }
}

/** Whether another run was faster: it locked a tag, or deleted its version that this one wanted to complete. */
async function isOvertaken(hub: Executor, { version }: Plan, error: unknown): Promise<boolean> {
  if (isConflict(error)) return true;
  if (version === undefined || !isInvalid(error)) return false;
  const { versionId } = version;
  return hub.invoke('repositories_GetPackageVersionDetails', { versionId }).then(() => false, isInvalid);
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
  { manifest, files, repositoryId, packageId, isOfJob }: Plan & { readonly packageId: Id<'package'> },
  retrying: RetryOptions,
): Promise<MadeVersion> {
  const { version: name, metadata } = manifest;
  const input = { packageId, tags: [], metadata, ...(name === undefined ? {} : { name }) };
  let isRepeated = false;
  return withRetries(async () => {
    // The answer to the attempt before may have been lost after it succeeded.
    const made = isRepeated
      ? (await planOf(hub, manifest, files, { repositoryId, packageId, isOfJob })).version
      : undefined;
    isRepeated = true;
    if (made !== undefined) return { versionId: made.versionId, isOwn: false };
    const { versionId } = await hub.invoke('repositories_CreatePackageVersion', input);
    return { versionId, isOwn: true };
  }, retrying);
}

async function attach(hub: Executor, versionId: Id<'packageVersion'>, file: StoredFile): Promise<void> {
  const { filename, assetId, metadata } = file;
  if (await addFile(hub, { versionId }, { assetId, filename, metadata })) return;
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
