import type { AddressRule } from '../../../platform/outgoing/address-rule.ts';
import { FairSemaphore } from '../../../limits/fair-semaphore.ts';
import { limits } from '../../../limits/table.ts';
import { StorageError, type AssetStorage } from './asset-storage.ts';
import type { DiskStorage } from './disk/disk-storage.ts';
import type { StoreLimits } from './s3/store-limits.ts';
import type { StoreCapabilities, StoreSettings } from './s3/store-settings.ts';

/** The data folder and all object stores. Each asset names its store, so that assets stay reachable after a change of the configuration. */
export interface Storages {
  /** The data folder of the hub. */
  readonly disk: DiskStorage;
  /** Whether new assets may be kept in the data folder: not by a node of a cluster, since the others do not have its disk. */
  readonly mayKeepOnDisk: boolean;
  /**
   * Whether assets that the data folder lacks are lost. Only a hub that runs alone writes assets there. When it becomes a node of a cluster, its folder still has them
   * all and the folders of the other nodes have none, so these neither report such assets as missing nor write them: what is uploaded again moves to an object store.
   */
  isDiskAuthoritative(): Promise<boolean>;
  /** The store with this raw id; null for the data folder. Rejects with a StorageError if there is no such store. */
  of(storeId: string | null): Promise<AssetStorage>;
  /** Has the settings of each store read again before its next use. */
  refresh(): void;
  /** Finds out what a store enforces. Rejects with a StorageError if it cannot be used; for the operator its message has the store's own words. */
  probe(settings: StoreSettings, owner: StoreOwner): Promise<StoreCapabilities>;
}

/** Who configured a store. The operator may name addresses that are private. */
export type StoreOwner = 'instance' | 'repository';

/** A store as the database knows it. */
export interface KnownStore {
  readonly settings: StoreSettings;
  readonly owner: StoreOwner;
}

/** The dependencies of the storages. */
export interface StorageParts {
  readonly disk: DiskStorage;
  /** True by default. */
  readonly mayKeepOnDisk?: boolean;
  /** Undefined if there is no such store. */
  readonly readStore: (storeId: string) => Promise<KnownStore | undefined>;
  readonly ruleFor: (owner: StoreOwner) => AddressRule;
  /** The hosts of stores of repositories to which links may lead; none by default. */
  readonly redirectHosts?: readonly string[];
  readonly now: () => Date;
  /** Overrides of `defaultStoreLimits`. */
  readonly storeLimits?: Partial<StoreLimits>;
}

interface OpenStore {
  readonly storage: AssetStorage;
  /** The settings as text, to notice a change. */
  readonly version: string;
  readonly readAtMs: number;
  /** How often the stores were refreshed before it was read. */
  readonly refreshes: number;
}

const maxOpen = 256;
/** How long another node may keep using a replaced secret. */
const freshMs = 5_000;
/** The library for S3 takes 35 MiB, so only a hub that uses it loads it. */
const loadS3 = () => import('./s3/open-store.ts');

/** Builds the storages of the instance. Connections are kept in memory; what they stand on is read again after a few seconds. */
export function createStorages(parts: StorageParts): Storages {
  const { disk, mayKeepOnDisk = true, readStore, ruleFor, now, storeLimits = {} } = parts;
  const stores = new Map<string, OpenStore>();
  let refreshes = 0;
  const probes = new FairSemaphore(
    limits.storeProbes,
    () => new StorageError('Unreachable', 'Too many stores are being checked: try again in a minute.'),
  );

  const keep = (storeId: string, store: OpenStore): AssetStorage => {
    stores.delete(storeId);
    stores.set(storeId, store);
    const [oldest] = stores.keys();
    if (stores.size > maxOpen && oldest !== undefined) stores.delete(oldest);
    return store.storage;
  };
  return {
    disk,
    mayKeepOnDisk,
    isDiskAuthoritative: async () => mayKeepOnDisk || disk.hasObjects(),
    async of(storeId) {
      if (storeId === null) return disk;
      const open = stores.get(storeId);
      const read = { readAtMs: now().getTime(), refreshes };
      if (open?.refreshes === refreshes && Math.abs(read.readAtMs - open.readAtMs) < freshMs)
        return open.storage;
      const known = await readStore(storeId);
      if (known === undefined)
        throw new StorageError('Missing', 'The store of the asset is not configured any more.');
      const version = JSON.stringify(known);
      if (open?.version === version) return keep(storeId, { ...open, ...read });
      return keep(storeId, { storage: await openKnown(known, parts), version, ...read });
    },
    refresh: () => void (refreshes += 1),
    probe: (settings, owner) =>
      probes.run({ caller: 'all' }, async () => {
        const { probeStore } = await loadS3();
        const isForOperator = owner === 'instance';
        return probeStore(settings, { rule: ruleFor(owner), now, limits: storeLimits, isForOperator });
      }),
  };
}

async function openKnown(
  { settings, owner }: KnownStore,
  { ruleFor, redirectHosts = [], storeLimits = {} }: StorageParts,
): Promise<AssetStorage> {
  const { openStore } = await loadS3();
  return {
    ...openStore(settings, ruleFor(owner), storeLimits),
    mayRedirectTo: (url) => owner === 'instance' || redirectHosts.includes(new URL(url).hostname),
  };
}
