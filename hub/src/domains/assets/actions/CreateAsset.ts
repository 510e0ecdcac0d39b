import { ActionError, ids, maxAssetBytes } from '@corral/contract';
import { newRawId } from '../../../auth/random.ts';
import { BusyError } from '../../../calls/failures.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { mustWriteRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { type DiskUse, mustFitDisk } from '../policy/disk-room.ts';
import { needsObjectStore } from '../policy/object-stores.ts';
import { mustBeWithinQuotas } from '../policy/quotas.ts';
import { createAsset, type CreatedAsset, lockQuotas } from '../sql/asset-creation.ts';
import { digestBytes } from '../sql/assets.ts';
import { storeForNewAssets } from '../sql/object-stores.ts';
import { storageKey } from '../storage/storage-key.ts';

interface Access extends RepositoryAccess {
  readonly diskUse: DiskUse;
}

/** Creates an asset to be uploaded, or finds the one that has these bytes. */
export const CreateAsset: Handler<'repositories_CreateAsset', Access, DiskUse> = {
  async prepare({ storages: { disk }, now }) {
    const [freeBytes, begunBytes] = await Promise.all([disk.room.freeBytes(), disk.begunBytes(now)]);
    return { freeBytes, begunBytes };
  },

  async authorize({ tx, actor, input }, diskUse) {
    return { ...(await mustWriteRepository(tx, actor, input.repositoryId)), diskUse };
  },

  async run(context, { repositoryId, diskUse }) {
    const { tx, input, now, emit } = context;
    mustBeStorable(input);
    const digest = digestBytes(input.digest);
    const created = await createAsset(tx, {
      assetId: newRawId(),
      repositoryId,
      size: input.size,
      digest,
      key: storageKey('', repositoryId, digest),
      now,
    });
    if (created === undefined)
      throw new BusyError('The bytes of this asset are just being deleted; try again in a moment.');
    const assetId = ids.asset.of(created.asset_id);
    mustBeSameSize(input, created.size);
    if (!created.is_new) return { result: 'AssetAlreadyExists', assetId };
    if (created.has_quota) await mustBeWithinQuotas(tx, repositoryId, await lockQuotas(tx, repositoryId));
    if (created.store_id === null) await mustHavePlace(context, { repositoryId, diskUse }, created);
    const { repositoryId: id, size, digest: text } = input;
    emit('repositories_AssetCreated', { repositoryId: id, assetId, size, digest: text });
    return { result: 'Created', assetId };
  },
};

type Context = HandlerContext<'repositories_CreateAsset'>;
type Wanted = Context['input'];

function mustBeStorable({ size }: Wanted): void {
  if (size <= maxAssetBytes) return;
  const most = maxAssetBytes / 1024 ** 3;
  throw new ActionError('Invalid', `An asset may have at most ${most} GiB; split the file into several.`);
}

/** The same digest with another size is a mistake of whoever announced it, now or then. */
function mustBeSameSize({ size }: Wanted, known: number): void {
  if (size === known) return;
  throw new ActionError(
    'Invalid',
    `The repository has an asset of this digest with ${known} bytes, not ${size}; check the announced size.`,
  );
}

/** One that is created again where its bytes were, in a data folder, is uploaded to the store of new assets where hubs share no disk. */
async function mustHavePlace(
  { tx, storages, now }: Context,
  { repositoryId, diskUse }: Pick<Access, 'repositoryId' | 'diskUse'>,
  { asset_id: assetId, size }: CreatedAsset,
): Promise<void> {
  if (storages.mayKeepOnDisk) return mustFitDisk(tx, { assetId, repositoryId, size }, diskUse, now);
  if ((await storeForNewAssets(tx, repositoryId)).storeId === null) throw needsObjectStore();
}
