import { mapConcurrently } from '@corral/client';
import { digestFile, uploadAsset, type UploadOutcome } from '@corral/client/node';
import type { Id } from '@corral/contract';
import { basename } from 'node:path';
import type { Hub } from '../hub/hub.ts';
import type { CommandContext } from './command-context.ts';
import { withTransfers } from './transfers.ts';

/** How many files are uploaded at once. */
const filesAtOnce = 4;

/** An uploaded file of this machine. */
export interface UploadedFile extends UploadOutcome {
  readonly path: string;
  readonly sizeBytes: number;
  readonly digest: string;
}

/** Hashes and uploads files, with progress. Rejected with a CliError, a TransferError or an ActionError. */
export function uploadFiles(
  context: CommandContext,
  hub: Hub,
  repositoryId: Id<'repository'>,
  paths: readonly string[],
): Promise<UploadedFile[]> {
  return withTransfers(context, hub, ({ http, signal, view }) =>
    mapConcurrently(
      paths,
      async (path) => {
        const { onProgress, onRetry, onEnd } = view.start(basename(path));
        try {
          const file = await digestFile(path, undefined, signal);
          const options = { executor: hub, http, repositoryId, signal, onProgress, onRetry };
          const outcome = await uploadAsset(file, options);
          return { path, sizeBytes: file.sizeBytes, digest: file.digest, ...outcome };
        } finally {
          onEnd();
        }
      },
      filesAtOnce,
    ),
  );
}
