import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Id, ids } from '@corral/contract';
import { networkOf } from '../../auth/network.ts';
import type { Executor } from '../../calls/executor.ts';
import { systemCaller, type Answer } from '../../calls/handler.ts';
import { createHashStates } from '../../domains/assets/storage/hash-states.ts';
import { FairSemaphore, type Places } from '../../limits/fair-semaphore.ts';
import { placesOf } from '../../limits/limit.ts';
import { limits as hubLimits } from '../../limits/table.ts';
import { BatchQueue } from '../../platform/concurrency/BatchQueue.ts';
import { ServedBytes } from './ServedBytes.ts';
import { TransferFailure } from './TransferFailure.ts';
import { createAssetUrlKey } from './asset-url-key.ts';
import { type AssetTarget, authorize, isSigned, refused } from './authorize.ts';
import { type FoundAsset, sendAsset } from './download.ts';
import { defaultLimits } from './limits.ts';
import { type PublicPath, publicPathOf } from './public-path.ts';
import { directAddress } from './redirect.ts';
import { failureOf, sendFailure } from './respond.ts';
import { answerResumable, isResumable } from './resumable.ts';
import type { CompletedUpload, TransfersContext, TransfersParts } from './transfers-context.ts';
import { receiveUpload } from './upload.ts';
import { CompleteAssetUploads } from '../../domains/assets/internal/CompleteAssetUploads.ts';
import { OpenAssetDownload } from '../../domains/assets/internal/OpenAssetDownload.ts';
import { ResolvePublicFile } from '../../domains/packages/internal/ResolvePublicFile.ts';

/** Serves the bytes of assets: uploads and downloads by signed URLs, and files of public repositories by their path. */
export interface Transfers {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Whether the hub signed the URL of a request, and it has not expired. A hub that has not read its key yet knows none. */
  isSigned(request: IncomingMessage): boolean;
  /** How many uploads and downloads are running. */
  readonly counts: { readonly uploads: number; readonly downloads: number };
  /** Adds to the history what was sent since the last time. */
  recordServed(): Promise<void>;
  /** Ends all transfers; their clients may go on at another hub or later. */
  stop(): void;
}

/** Builds the transfers. The HTTP server passes it the requests for paths below `/r/`. */
export function createTransfers(parts: TransfersParts): Transfers {
  const limits = { ...defaultLimits, ...parts.limits };
  const stopping = new AbortController();
  const context: TransfersContext = {
    parts,
    limits,
    key: createAssetUrlKey(parts.executor, parts.nowMs),
    uploads: transferPlaces(limits.uploads),
    downloads: transferPlaces(limits.downloads),
    publicFiles: transferPlaces(limits.publicFiles),
    lookUps: placesOf(hubLimits.fileLookUps),
    checking: new Set(),
    served: new ServedBytes(),
    hashes: createHashStates(),
    writing: new Set(),
    completions: new BatchQueue((uploads) => complete(parts.executor, uploads)),
    stopping: stopping.signal,
  };
  return {
    handle: (request, response) => serve(context, request, response),
    isSigned({ url = '' }) {
      const target = assetTargetOf(url);
      return target !== undefined && isSigned(context, target);
    },
    get counts() {
      return { uploads: context.uploads.running, downloads: context.downloads.running };
    },
    recordServed: () => context.served.record(parts.executor),
    stop: () => stopping.abort(),
  };
}

async function complete(executor: Executor, uploads: readonly CompletedUpload[]) {
  return (await executor.run(systemCaller, CompleteAssetUploads, { uploads })).results;
}

async function serve(
  context: TransfersContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.on('error', () => undefined);
  const { socket } = request;
  try {
    await route(context, request, response);
  } catch (error) {
    // A client that has left needs no answer, and its leaving is no failure of the hub.
    if (socket.destroyed) return void response.destroy();
    sendFailure(context, request, response, failureOf(context, error));
  }
}

const retryAfterSecs = 5;
const assetPath = /^\/r\/assets\/([^/?]+)$/;

async function route(
  context: TransfersContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = '' } = request;
  const target = assetTargetOf(url);
  if (target !== undefined) {
    if (!ids.asset.schema.safeParse(target.assetId).success) throw nothingHere();
    return serveAsset(context, request, response, target);
  }
  const file = publicPathOf(splitOnce(url, '?')[0]);
  if (file === undefined) throw nothingHere();
  await servePublicFile(context, request, response, file);
}

/** The asset that a URL below `/r/assets/` names; undefined for any other. */
function assetTargetOf(url: string): AssetTarget | undefined {
  const [path, query] = splitOnce(url, '?');
  const assetId = assetPath.exec(path)?.[1];
  return assetId === undefined ? undefined : { assetId, query: new URLSearchParams(query) };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function nothingHere(): TransferFailure {
  return new TransferFailure(404, 'There is no such file here.');
}

async function serveAsset(
  context: TransfersContext,
  request: IncomingMessage,
  response: ServerResponse,
  target: AssetTarget,
): Promise<void> {
  const { method } = request;
  const assetId = target.assetId as Id<'asset'>;
  if (method === 'PUT' || isResumable(request)) {
    const writer = method === 'OPTIONS' ? undefined : (await authorize(context, target, 'upload')).reader;
    const upload = { assetId, writer };
    return occupying([context.uploads], context, request, () =>
      method === 'PUT'
        ? receiveUpload(context, request, response, upload)
        : answerResumable(context, request, response, upload),
    );
  }
  if (method !== 'GET' && method !== 'HEAD')
    throw new TransferFailure(405, 'Upload with PUT, download with GET.', {
      headers: { allow: 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS' },
    });
  const { filename, reader } = await authorize(context, target, 'download');
  const found = await lookUp(context, request, () =>
    context.parts.executor.run(systemCaller, OpenAssetDownload, { assetId, reader }),
  );
  await occupying([context.downloads], context, request, () =>
    sendAsset(context, request, response, mustBeFound(found), { filename, cacheControl: signedCaching }),
  );
}

/** The bytes of an asset never change; a shared cache must not keep what a signed URL gave to one client. */
const signedCaching = 'private, max-age=31536000, immutable';

/** The tag of a path may move, so each use asks again; the entity tag spares the bytes. */
const pathCaching = 'public, no-cache';

async function servePublicFile(
  context: TransfersContext,
  request: IncomingMessage,
  response: ServerResponse,
  file: PublicPath,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new TransferFailure(405, 'Files are only read here.', { headers: { allow: 'GET, HEAD' } });
  const found = await lookUp(context, request, () =>
    context.parts.executor.run(systemCaller, ResolvePublicFile, file),
  );
  if (found.result !== 'Found') throw nothingHere();
  const { filename } = file;
  await occupying([context.publicFiles, context.downloads], context, request, () =>
    sendAsset(context, request, response, found, {
      filename,
      cacheControl: pathCaching,
      address: () => directAddress(context, request, found, filename),
    }),
  );
}

/** Looks something up in the turn of its network. */
function lookUp<Found>(
  { parts, lookUps }: TransfersContext,
  request: IncomingMessage,
  work: () => Promise<Found>,
): Promise<Found> {
  return lookUps.run({ caller: networkOf(parts.addressOf(request) ?? '') }, work);
}

function mustBeFound(found: Answer<typeof OpenAssetDownload>): FoundAsset {
  if (found.result === 'Found') return found;
  // Who may read again asks for a new URL, and all others learn nothing.
  if (found.result === 'NotReadable') throw refused('Expired');
  throw new TransferFailure(410, 'This asset has been deleted.');
}

/** There is no queue: a client that finds no place is told when to retry. */
function transferPlaces(places: Places): FairSemaphore {
  const { ofCaller = Infinity } = places;
  const refusal = (caller: string): TransferFailure =>
    semaphore.of(caller).running >= ofCaller
      ? new TransferFailure(
          429,
          `At most ${ofCaller} transfers of one client run at a time; wait until others have ended.`,
          { retryAfterSecs },
        )
      : new TransferFailure(503, 'The hub has as many transfers as it can serve; try again in a moment.', {
          retryAfterSecs,
        });
  const semaphore = new FairSemaphore(places, refusal);
  return semaphore;
}

/** Does the work while it has a place of each kind. */
async function occupying(
  kinds: readonly FairSemaphore[],
  { parts }: TransfersContext,
  request: IncomingMessage,
  work: () => Promise<void>,
): Promise<void> {
  const keys = { caller: networkOf(parts.addressOf(request) ?? '') };
  const all = kinds.reduceRight((inner, places) => () => places.run(keys, inner), work);
  await all();
}
