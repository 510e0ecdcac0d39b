import { z } from 'zod';
import { command, query } from '../define.ts';
import { assetStorageStatus, repositoryAssetStatus } from '../enums.ts';
import { ids } from '../ids.ts';
import { maxChunks } from '../repository-rules.ts';
import {
  anyName,
  digest,
  empty,
  joinedDigests,
  listOf,
  text,
  timestamp,
  uint32,
  uint64,
} from '../scalars.ts';

/** Where the bytes of an asset are and what they must be. */
const stored = {
  assetId: ids.asset.schema,
  repositoryId: ids.repository.schema,
  size: uint64,
  digest,
  /** The raw id of the object store; absent for the data folder of the hub. */
  storeId: text.optional(),
  storageKey: text,
  /** When the stored bytes were checked last. */
  checkedAt: timestamp.optional(),
};

const found = z.object({
  result: z.literal('Found'),
  ...stored,
  status: repositoryAssetStatus,
  storageStatus: assetStorageStatus,
});

/** Who asked for a URL: a device, or a user in a session or by a token. */
const reader = z.union([
  z.object({ deviceId: ids.device.schema }),
  z.object({ userId: ids.user.schema, tokenId: ids.userTokenId.schema.optional() }),
]);

const lease = { assetId: ids.asset.schema, leaseId: text };

/** Which assets a list leaves out. */
const leftOut = {
  /** Those in a data folder, which is that of another node. */
  isDiskLeftOut: z.boolean().optional(),
  /** Those in these object stores, by their raw ids. */
  leftOutStoreIds: listOf(text, 1000).optional(),
};

/** Those of each MiB of an asset. */
const chunkDigests = joinedDigests(maxChunks);
const maxCompletionBytes = 4 * 1024 * 1024;

/** Actions by which the hub itself moves, checks and collects the bytes of assets. */
export const assetTransfersActions = {
  repositories_GetAssetUrlKey: query({
    doc: 'Returns the key that signs the URLs of assets, as base64, if there is one yet; internal.',
    reads: [],
    input: empty,
    output: z.object({ key: text.optional() }),
  }),
  repositories_BeginAssetUpload: command({
    doc: 'Leases an asset for thirty seconds to whoever writes its bytes; one writer at a time; internal.',
    input: z.object({
      ...lease,
      /** Also leases a whole asset of the data folder, to move it to an object store. */
      isMove: z.boolean().optional(),
      /** Who asked for the upload URL; nothing is leased if this one may not write the asset any more. */
      writer: reader.optional(),
      /** Whether the bytes come in parts, of which some are kept if the rest does not come. */
      isInParts: z.boolean().optional(),
    }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('NotFound') }),
      z.object({ result: z.literal('NotWritable') }),
      /** The writer has too many unfinished uploads in parts. */
      z.object({ result: z.literal('TooMany'), message: text }),
      /** The bytes are stored already. */
      z.object({ result: z.literal('Available'), ...stored }),
      z.object({ result: z.literal('Busy'), retryAfterSecs: uint32 }),
      z.object({
        result: z.literal('Taken'),
        ...stored,
        /** The stored object is damaged: write over it. */
        replaces: z.boolean(),
        /** The bytes go to this store instead of the one of the asset, which is the data folder of a single node: completing the upload moves the asset. */
        isMoving: z.boolean(),
        multipartId: text.optional(),
      }),
    ]),
    audit: 'none',
  }),
  repositories_ExtendAssetUpload: command({
    doc: 'Extends the lease of an upload or a deletion, which then ends in thirty seconds; internal.',
    input: z.object(lease),
    output: z.object({ isHeld: z.boolean() }),
    audit: 'none',
  }),
  repositories_ChangeMultipartUpload: command({
    doc: 'Changes which upload in parts brings the bytes of an asset, unless another one does; internal.',
    input: z.object({
      assetId: ids.asset.schema,
      /** As the store names it; absent for none. */
      multipartId: text.optional(),
      /** The one that is replaced; absent for none. */
      expected: text.optional(),
    }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('NotFound') }),
      /** The present one is in `multipartId`, if there is one. */
      z.object({ result: z.literal('Found'), multipartId: text.optional() }),
    ]),
    audit: 'none',
  }),
  repositories_CompleteAssetUploads: command({
    doc: 'Makes assets available whose bytes are durable, and ends their leases; internal.',
    input: z.object({
      uploads: listOf(
        z.object({
          assetId: ids.asset.schema,
          /** Empty if they are not known. */
          chunkDigests,
          storageStatus: assetStorageStatus,
          /** Where the bytes are, by default where the asset is. `isMove` says that they are to replace those of an available asset elsewhere. */
          writtenTo: z.object({ storeId: text.optional(), storageKey: text, isMove: z.boolean() }).optional(),
        }),
        64,
      ),
    }),
    /** In the order of the uploads. */
    output: z.object({ results: listOf(z.enum(['Completed', 'NotFound']), 64) }),
    audit: 'none',
    maxInputBytes: maxCompletionBytes,
  }),
  repositories_ReleaseAssetUpload: command({
    doc: 'Ends the lease of an upload that failed; internal.',
    input: z.object(lease),
    output: empty,
    audit: 'none',
  }),
  repositories_OpenAssetDownload: query({
    doc: 'Returns where the bytes of an asset are, if its reader may still read it; internal.',
    reads: [],
    input: z.object({ assetId: ids.asset.schema, reader: reader.optional() }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('NotFound') }),
      z.object({ result: z.literal('NotReadable') }),
      found,
    ]),
  }),
  repositories_ResolvePublicFile: query({
    doc: 'Returns where the bytes of a file are by its path in a public repository; internal.',
    reads: [],
    input: z.object({ repository: anyName, package: text, tag: text, filename: anyName }),
    output: z.discriminatedUnion('result', [z.object({ result: z.literal('NotFound') }), found]),
  }),
  repositories_MarkCollectableAssets: command({
    doc: 'Marks assets that nothing refers to for deletion, up to 1,000; internal.',
    input: empty,
    output: z.object({ marked: uint32 }),
    audit: 'none',
  }),
  repositories_LeaseMarkedAsset: command({
    doc: 'Leases one marked asset for thirty seconds to the caller, who deletes its bytes; the lease outlives the node of the caller; internal.',
    input: z.object({
      leaseId: text,
      /** Assets whose bytes could not be deleted in this run. */
      except: listOf(ids.asset.schema, 1000),
      /** Stores that are left out for the rest of this run: raw ids, and an empty one for the data folder. */
      exceptStores: listOf(text, 1000).optional(),
    }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('None') }),
      z.object({ result: z.literal('Leased'), ...stored, multipartId: text.optional() }),
    ]),
    audit: 'none',
  }),
  repositories_DeleteMarkedAsset: command({
    doc: 'Deletes the row of a marked asset whose bytes the holder of its lease has deleted; internal.',
    input: z.object(lease),
    output: empty,
    audit: 'none',
  }),
  repositories_FindAssetsToCheck: query({
    doc: 'Lists the available assets that were checked longest ago, up to 100; internal.',
    reads: [],
    input: z.object({
      /** Only those that were not checked for this long. */
      ageSecs: uint32,
      /** Also those whose store did not answer their last check, if that was so many milliseconds ago. */
      unansweredAgeMs: uint32.optional(),
      ...leftOut,
    }),
    output: z.object({ assets: z.array(z.object(stored)) }),
  }),
  repositories_ReportAssetCheck: command({
    doc: 'Records what a check of the stored bytes found; internal.',
    input: z.object({
      assetId: ids.asset.schema,
      storageStatus: assetStorageStatus,
      detail: text.optional(),
      chunkDigests: chunkDigests.optional(),
      /** What was known when the check began: nothing is recorded if it has changed since, because somebody may have repaired or moved the bytes. */
      seen: z
        .object({ storeId: stored.storeId, storageKey: stored.storageKey, checkedAt: stored.checkedAt })
        .optional(),
    }),
    output: empty,
    audit: 'none',
    maxInputBytes: maxCompletionBytes,
  }),
  repositories_FindAssetStores: query({
    doc: 'Lists the object stores that hold assets or may hold them; internal.',
    reads: [],
    input: empty,
    output: z.object({
      /** Those in which the hub may delete objects; one of a repository holds assets of this repository alone. */
      stores: z.array(
        z.object({ storeId: text, prefix: text, repositoryId: ids.repository.schema.optional() }),
      ),
      /** The buckets, at most 20 of all, in which it deletes nothing, since it is a restored copy that has not claimed them. */
      unclaimed: z.object({
        buckets: z.array(z.object({ endpoint: text, bucket: text })),
        count: uint32,
        /** How many assets in them are marked for deletion. */
        markedAssets: uint32,
      }),
    }),
  }),
  repositories_ClaimAssetStores: command({
    doc: 'Lets a restored copy delete objects in the stores that came with the backup; internal.',
    input: empty,
    output: empty,
  }),
  repositories_FindAssetsByKey: query({
    doc: 'Returns which keys of the data folder, or of any object store, belong to assets, with their status and store; internal.',
    reads: [],
    input: z.object({ isOnDisk: z.boolean(), storageKeys: listOf(text, 1000) }),
    output: z.object({
      assets: z.array(
        z.object({
          assetId: ids.asset.schema,
          storageKey: text,
          storeId: text.optional(),
          status: repositoryAssetStatus,
          multipartId: text.optional(),
        }),
      ),
    }),
  }),
  repositories_MarkStrayObject: command({
    doc: 'Marks a stored object of no asset for deletion, as an asset that is being deleted; where its asset is kept elsewhere, leases the asset to the caller, who deletes the object; internal.',
    input: z.object({ storeId: text.optional(), storageKey: text, size: uint64, leaseId: text }),
    output: z.object({ leasedAssetId: ids.asset.schema.optional() }),
    audit: 'none',
  }),
} as const;
