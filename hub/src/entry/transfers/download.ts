import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDamaged } from '@corral/contract';
import type { Answer } from '../../calls/handler.ts';
import type { OpenAssetDownload } from '../../domains/assets/internal/OpenAssetDownload.ts';
import { contentDisposition } from '../../domains/assets/storage/content-disposition.ts';
import { evaluatePreconditions } from './preconditions.ts';
import { parseRanges, type WantedRanges } from './ranges.ts';
import { planBody, sendBody } from './send-body.ts';
import { TransferFailure } from './TransferFailure.ts';
import type { TransfersContext } from './transfers-context.ts';
import { etagOf } from './upload.ts';

/** Where the bytes of an asset are. */
export type FoundAsset = Extract<Answer<typeof OpenAssetDownload>, { result: 'Found' }>;

/** How a download is presented. */
export interface Presentation {
  readonly filename: string | undefined;
  readonly cacheControl: string;
  /** Where the client is sent instead, if the store serves it itself. */
  readonly address?: () => Promise<string | undefined>;
}

/** Answers a GET or HEAD for an asset, or for parts of it. Rejects with a TransferFailure before the first byte. */
export async function sendAsset(
  context: TransfersContext,
  request: IncomingMessage,
  response: ServerResponse,
  asset: FoundAsset,
  { filename, cacheControl, address }: Presentation,
): Promise<void> {
  mustBeWhole(asset);
  const etag = etagOf(asset.digest);
  const conditions = evaluatePreconditions(request.headers, etag);
  if (conditions === 'failed') throw new TransferFailure(412, 'The asset is not the one of If-Match.');
  const isForParts = await servesParts(context, request, asset);
  const base = { etag, 'cache-control': cacheControl, 'accept-ranges': isForParts ? 'bytes' : 'none' };
  if (conditions === 'notModified') return void response.writeHead(304, base).end();
  const location = await address?.();
  // Without a validator, so that no cache keeps an address that expires.
  if (location !== undefined)
    return void response
      .writeHead(302, { location, 'cache-control': cacheControl, 'content-length': 0 })
      .end();
  const hasRange = conditions === 'proceed' && request.method === 'GET' && isForParts;
  const range = hasRange ? request.headers.range : undefined;
  const body = planBody(mustBeSatisfiable(parseRanges(range, asset.size), asset.size), asset.size);
  const headers = {
    ...base,
    ...body.headers,
    'repr-digest': `sha-256=:${Buffer.from(asset.digest.slice('sha256_'.length), 'hex').toString('base64')}:`,
    'content-disposition': contentDisposition(filename),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  };
  if (request.method === 'HEAD') return void response.writeHead(body.status, headers).end();
  const isCheckedByClient = request.headers['corral-verifies'] === 'sha-256';
  await sendBody(context, { response, asset, body, headers, isCheckedByClient });
}

/** A request for a part has the whole as its answer where a few bytes would cost the reading of all before them (RFC 9110, 14.2). */
async function servesParts(
  { parts }: TransfersContext,
  { headers }: IncomingMessage,
  { storeId }: FoundAsset,
): Promise<boolean> {
  if (headers.range === undefined) return true;
  return (await parts.storages.of(storeId ?? null)).servesParts !== false;
}

function mustBeWhole({ status, storageStatus }: FoundAsset): void {
  if (status === 'Dangling')
    throw new TransferFailure(404, 'The bytes of this asset have not been uploaded yet.');
  if (status === 'Deleting') throw new TransferFailure(410, 'This asset has been deleted.');
  if (isDamaged(storageStatus))
    throw TransferFailure.ofDamage(
      'The stored bytes of this asset are missing or damaged. Upload the same file again to repair it.',
    );
}

function mustBeSatisfiable(
  wanted: WantedRanges,
  size: number,
): Exclude<WantedRanges, { kind: 'unsatisfiable' }> {
  if (wanted.kind !== 'unsatisfiable') return wanted;
  throw new TransferFailure(416, `The asset has ${size} bytes; ask for a part of these.`, {
    headers: { 'content-range': `bytes */${size}` },
  });
}
