import { stat } from 'node:fs/promises';
import { mapConcurrently } from '@corral/client';
import { digestFile, uploadAsset, type DigestedFile, type UploadOutcome } from '@corral/client/node';
import type { Id } from '@corral/contract';
import { basename } from 'node:path';
import type { Hub } from '../hub/hub.ts';
import type { CommandContext } from './command-context.ts';
import { withTransfers, type Transfers } from './transfers.ts';

/** How many files are uploaded at once. */
const filesAtOnce = 4;

/** An uploaded file of this machine. */
export interface UploadedFile extends UploadOutcome {
  readonly path: string;
  readonly sizeBytes: number;
  readonly digest: string;
}

/** What to upload. */
export interface Uploading {
  readonly repositoryId: Id<'repository'>;
  readonly paths: readonly string[];
  /** Called before anything is sent; what it throws ends the upload. */
  readonly check?: (files: readonly DigestedFile[]) => void;
}

/** Hashes and uploads files, with progress. Rejected with a CliError, a TransferError or an ActionError. */
export function uploadFiles(
  context: CommandContext,
  hub: Hub,
  { repositoryId, paths, check }: Uploading,
): Promise<UploadedFile[]> {
  return withTransfers(context, hub, async (transfers) => {
    const { http, signal, view } = transfers;
    const hashed = await hashFiles(
      paths.map((path) => ({ path })),
      transfers,
    );
    const contents = hashed.map(({ content }) => content);
    check?.(contents);
    return mapConcurrently(
      contents,
      async (file) => {
        const { path, sizeBytes, digest } = file;
        const { onProgress, onRetry, onEnd } = view.start(basename(path));
        try {
          const options = { executor: hub, http, repositoryId, signal, onProgress, onRetry };
          return { path, sizeBytes, digest, ...(await uploadAsset(file, options)) };
        } finally {
          onEnd();
        }
      },
      filesAtOnce,
    );
  });
}

/** Adds what is in them to local files, with progress. Rejected with a TransferError. */
export async function hashFiles<File extends { readonly path: string }>(
  files: readonly File[],
  { signal, view }: Transfers,
): Promise<(File & { readonly content: DigestedFile })[]> {
  const hashed: (File & { readonly content: DigestedFile })[] = [];
  const { onProgress, onEnd } = view.start('Reading');
  try {
    const sizes = await mapConcurrently(files, sizeOf);
    const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
    let doneBytes = 0;
    const advance = (count: number): void => onProgress({ doneBytes: (doneBytes += count), totalBytes });
    for (const file of files) hashed.push({ ...file, content: await digestFile(file.path, advance, signal) });
  } finally {
    onEnd();
  }
  return hashed;
}

/** For the progress alone: a file that is not there is an error when it is read. */
async function sizeOf({ path }: { readonly path: string }): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
