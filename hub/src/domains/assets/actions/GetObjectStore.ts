import type { StoreCapabilities } from '../storage/s3/store-settings.ts';
import { storeFindings } from '../storage/store-findings.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { currentObjectStore, toStoreOutput } from '../sql/object-stores.ts';

/** Returns where new assets of a repository go, and what the last check of that store found. */
export const GetObjectStore: Handler<'repositories_GetObjectStore', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnRepository(tx, actor, input.repositoryId),

  async run({ tx }, { repositoryId }) {
    const own = await currentObjectStore(tx, repositoryId);
    const store = own ?? (await currentObjectStore(tx, null));
    if (store === undefined) return { kind: 'Disk' as const, findings: [] };
    return {
      kind: own === undefined ? ('Instance' as const) : ('Own' as const),
      ...(own === undefined ? {} : { s3Config: toStoreOutput(own) }),
      findings: storeFindings((store.capabilities ?? undefined) as StoreCapabilities | undefined),
      ...(store.probedAt === null ? {} : { checkedAt: store.probedAt }),
    };
  },
};
