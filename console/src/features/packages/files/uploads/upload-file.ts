import { withRetries, type RetryOptions } from '../../../../data/retries.ts';
import { isStored, type CallInput, type Id, type Output } from '@corral/contract';
import { uploadsCopy } from './copy.ts';
import type { HashFile } from './hash-file.ts';
import { ExpiredUrl, interrupted, type UploadTransport } from './send-part.ts';
import { UploadProblem } from './UploadProblem.ts';

/** The version, or the package itself, to which a file belongs. */
export type FileOwner = { readonly repositoryId: Id<'repository'> } & (
  | { readonly kind: 'version'; readonly id: Id<'packageVersion'> }
  | { readonly kind: 'package'; readonly id: Id<'package'> }
);

/** A file of a version or of a package. */
export type OwnedFile = Output<'repositories_GetPackageVersionDetails'>['assets'][number];

/** A file to be added. */
export interface NewFile {
  readonly assetId: Id<'asset'>;
  readonly filename: string;
}

/** The calls of an upload. */
export interface UploadCalls {
  create(input: CallInput<'repositories_CreateAsset'>): Promise<Output<'repositories_CreateAsset'>>;
  details(assetId: Id<'asset'>): Promise<Output<'repositories_GetAssetDetails'>>;
  issueUrl(assetId: Id<'asset'>): Promise<Output<'repositories_IssueAssetUploadUrl'>>;
  add(owner: FileOwner, file: NewFile): Promise<Output<'repositories_AddPackageVersionAsset'>>;
  filesOf(owner: FileOwner): Promise<readonly OwnedFile[]>;
}

/** What an upload is built from. */
export interface UploadParts {
  readonly calls: UploadCalls;
  readonly hashFile: HashFile;
  readonly transport: UploadTransport;
  readonly retries: Pick<RetryOptions, 'wait' | 'isOffline' | 'nowMs' | 'random'>;
}

/** The current step of an upload. */
export type UploadStep =
  | { readonly step: 'Hashing' | 'Sending'; readonly doneBytes: number }
  | { readonly step: 'Paused'; readonly doneBytes: number; readonly reason: string }
  | { readonly step: 'Adding' }
  | { readonly step: 'Done'; readonly outcome: 'added' | 'addedKnown' | 'present' | 'repaired' };

interface Running {
  readonly signal: AbortSignal;
  readonly report: (step: UploadStep) => void;
}

/** The most bytes of one request: a reverse proxy may refuse larger ones. */
const partBytes = 32 * 1_048_576;

/**
 * Uploads a file and adds it to its owner; one that the owner has is only sent again if its stored bytes are not whole. It resumes after interruptions, and where an
 * earlier upload of the same bytes stopped. Rejects with an error whose message is for people, or with the reason of the signal.
 */
export async function uploadFile(
  parts: UploadParts,
  owner: FileOwner,
  file: File,
  { signal, report }: Running,
): Promise<void> {
  let doneBytes = 0;
  const advance = (step: 'Hashing' | 'Sending', done: number): void => {
    doneBytes = done;
    report({ step, doneBytes });
  };
  const retried = <Result>(work: () => Promise<Result>): Promise<Result> =>
    withRetries(work, {
      ...parts.retries,
      signal,
      progress: () => doneBytes,
      onRetry: (reason) => report({ step: 'Paused', doneBytes, reason }),
      howToResume: uploadsCopy.resume,
    });
  advance('Hashing', 0);
  const digest = await parts.hashFile(file, { signal, onProgress: (done) => advance('Hashing', done) });
  advance('Sending', 0);
  const { repositoryId, kind } = owner;
  const { calls } = parts;
  const present = (await retried(() => calls.filesOf(owner))).find(({ filename }) => filename === file.name);
  if (present !== undefined && present.digest !== digest)
    throw new UploadProblem(uploadsCopy.nameTaken(kind));
  if (present !== undefined && isStored(present)) return report({ step: 'Done', outcome: 'present' });
  const { assetId, result } = await retried(() => calls.create({ repositoryId, size: file.size, digest }));
  const isKnown =
    result === 'AssetAlreadyExists' && (await retried(async () => isStored(await calls.details(assetId))));
  if (!isKnown) {
    const sending = { assetId, file, signal, onProgress: (done: number) => advance('Sending', done) };
    await retried(() => sendRest(parts, sending));
  }
  report({ step: 'Adding' });
  await retried(() => addFile(calls, owner, { assetId, filename: file.name }));
  const [known, sent] =
    present === undefined ? (['addedKnown', 'added'] as const) : (['present', 'repaired'] as const);
  report({ step: 'Done', outcome: isKnown ? known : sent });
}

/** Adds the asset under its filename. The owner may have it so already: since before, or by a call whose answer was lost. */
async function addFile(calls: UploadCalls, owner: FileOwner, file: NewFile): Promise<void> {
  const { result } = await calls.add(owner, file);
  if (result === 'Added') return;
  const files = await calls.filesOf(owner);
  const isOurs = files.some((one) => one.filename === file.filename && one.assetId === file.assetId);
  if (!isOurs) throw new UploadProblem(uploadsCopy.nameTaken(owner.kind));
}

interface Sending {
  readonly assetId: Id<'asset'>;
  readonly file: File;
  readonly signal: AbortSignal;
  readonly onProgress: (doneBytes: number) => void;
}

/** Sends what the hub does not have yet, by a new URL. */
async function sendRest({ calls, transport }: UploadParts, sending: Sending): Promise<void> {
  const { assetId, file, signal, onProgress } = sending;
  await mustBeReadable(file);
  const { url, resumableUrl = url } = await calls.issueUrl(assetId);
  // This page may be reached by another name of the hub; the signature is of the path.
  const { pathname, search } = new URL(resumableUrl);
  const path = `${pathname}${search}`;
  try {
    let offset = await transport.offsetOf(path, signal);
    onProgress(offset);
    while (offset < file.size) {
      const start = offset;
      const bytes = file.slice(start, start + partBytes);
      const progress = (sent: number): void => onProgress(Math.min(file.size, start + sent));
      offset = await transport.send({ url: path, offset: start, bytes, signal, onProgress: progress });
      onProgress(offset);
    }
  } catch (error) {
    // The next attempt gets a new URL.
    throw error instanceof ExpiredUrl ? interrupted(uploadsCopy.busy) : error;
  }
}

/** A browser cannot read a file that has changed since it was chosen; a request with it would fail like a lost connection. */
async function mustBeReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new UploadProblem(uploadsCopy.unreadable, { cause });
  }
}
