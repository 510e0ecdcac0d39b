import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Id, Output } from '@corral/contract';
import type { Executor } from '../executor.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { downloadAsset, type DownloadOutcome, type ProgressObserver } from './download.ts';
import { placesBelow } from './local-path.ts';
import type { RetryObserver } from '../retry.ts';
import type { TransferHttp } from './transfer-http.ts';
import { TransferError } from '../TransferError.ts';

/** A file of a version. */
export type VersionFile = Output<'repositories_GetPackageVersionDetails'>['assets'][number];

/** Receives the progress and the retries of the download of a file. */
export interface PullObserver {
  readonly onProgress: ProgressObserver;
  readonly onRetry: RetryObserver;
  onEnd(): void;
}

/** What to download, and where to. */
export interface PullOptions {
  readonly executor: Executor;
  readonly http: TransferHttp;
  readonly versionId: Id<'packageVersion'>;
  /** Only this file of the version; all by default. */
  readonly filename?: string | undefined;
  /** A folder, or the path of the file where it is only one; the working folder by default. */
  readonly output?: string | undefined;
  /** Files of this machine that may hold some of the bytes. */
  readonly from?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly observe?: ((file: VersionFile) => PullObserver) | undefined;
}

/** A downloaded file. */
export interface PulledFile extends DownloadOutcome {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly digest: string;
}

const filesAtOnce = 4;

/** Downloads files of a version. Rejected with a TransferError or an error of the executor. */
export async function pullVersion(options: PullOptions): Promise<PulledFile[]> {
  const { executor, versionId, filename, output = '.' } = options;
  const { assets } = await executor.invoke('repositories_GetPackageVersionDetails', { versionId });
  const files = chosen(assets, filename);
  const targets = await targetsOf(files, output);
  // One failure stops the others; what they have is kept.
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', stop, { once: true });
  try {
    return await mapConcurrently(
      files.map((file, index) => ({ file, target: targets[index] ?? '' })),
      (one) =>
        pullFile(one, { ...options, signal: stopping.signal }).catch((error: unknown) => {
          stop();
          throw error;
        }),
      filesAtOnce,
    );
  } finally {
    options.signal?.removeEventListener('abort', stop);
  }
}

async function pullFile(
  { file, target }: { readonly file: VersionFile; readonly target: string },
  { executor, http, from, signal, observe }: PullOptions,
): Promise<PulledFile> {
  const { filename, assetId, size: sizeBytes, digest } = file;
  const observer = observe?.(file);
  try {
    const outcome = await downloadAsset(
      { assetId, filename, sizeBytes, digest },
      {
        executor,
        http,
        target,
        signal,
        from: from ?? [],
        onProgress: observer?.onProgress,
        onRetry: observer?.onRetry,
      },
    );
    return { filename, sizeBytes, digest, ...outcome };
  } finally {
    observer?.onEnd();
  }
}

function chosen(files: readonly VersionFile[], filename: string | undefined): VersionFile[] {
  if (files.length === 0) throw new TransferError('Refused', 'The version has no files.');
  const wanted =
    filename === undefined ? [...files] : files.filter((file) => file.filename === filename.normalize());
  if (wanted.length === 0)
    throw new TransferError(
      'Refused',
      `The version has no file ${JSON.stringify(filename)}; it has ${listed(files.map((file) => file.filename))}.`,
    );
  const unfinished = wanted.find(({ status }) => status !== 'Available');
  if (unfinished === undefined) return wanted;
  throw new TransferError('Refused', `${JSON.stringify(unfinished.filename)} has not been uploaded yet.`);
}

const maxListed = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxListed).map((name) => JSON.stringify(name));
  return names.length > maxListed
    ? `${shown.join(', ')} and ${names.length - maxListed} more`
    : shown.join(', ');
}

async function targetsOf(files: readonly VersionFile[], output: string): Promise<string[]> {
  const isFolder =
    output.endsWith('/') || (await stat(output).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder && files.length === 1) return [resolve(output)];
  if (!isFolder)
    throw new TransferError(
      'Local',
      `${JSON.stringify(output)} is no folder, and there are ${files.length} files.`,
    );
  return placesBelow(
    output,
    files.map(({ filename }) => filename),
  );
}
