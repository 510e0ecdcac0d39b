import { ActionError, ids, maxChunks, maxChunksAtOnce } from '@corral/contract';
import { sql } from 'kysely';
import { chunkBytes } from '../storage/content-hash.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustReadAsset } from '../../repositories/index.ts';

const digestBytes = 32;

interface Row {
  readonly size: number;
  readonly digest: Buffer;
  readonly status: string;
  readonly stored_bytes: number | null;
  readonly part: Buffer | null;
}

/** Returns the digests of the chunks of an asset. An asset of one chunk has the digest of the whole. */
export const GetAssetChunks: Handler<'repositories_GetAssetChunks'> = {
  authorize: ({ tx, actor, input }) => mustReadAsset(tx, actor, input.assetId),

  async run({ tx, input }) {
    const after = Math.min(input.after ?? 0, maxChunks);
    const wanted = Math.min(input.limit ?? maxChunksAtOnce, maxChunksAtOnce);
    const { rows } = await sql<Row>`
      select a.size, a.digest, a.status, length(c.digests) as stored_bytes,
        substring(c.digests from ${after * digestBytes + 1}::int for ${wanted * digestBytes}::int) as part
      from assets a left join asset_chunks c using (asset_id) where a.asset_id = ${ids.asset.raw(input.assetId)}`.execute(
      tx,
    );
    const [row] = rows;
    if (row?.status !== 'Available')
      throw new ActionError('Invalid', 'The bytes of the asset have not been uploaded yet.');
    const { total, digests } = chunksOf(row, after, wanted);
    const next = after + digests.length / digestBytes;
    return {
      chunkSize: chunkBytes,
      total,
      digests: digests.toString('base64'),
      ...(next < total && digests.length > 0 ? { next } : {}),
    };
  },
};

function chunksOf({ size, digest, stored_bytes, part }: Row, after: number, wanted: number) {
  if (stored_bytes !== null) return { total: stored_bytes / digestBytes, digests: part ?? Buffer.alloc(0) };
  if (size === 0 || size > chunkBytes) return { total: 0, digests: Buffer.alloc(0) };
  return { total: 1, digests: after === 0 && wanted > 0 ? digest : Buffer.alloc(0) };
}
