import type { Executor } from '../../calls/executor.ts';
import { systemCaller } from '../../calls/handler.ts';
import { GetAssetUrlKey } from '../../domains/assets/internal/GetAssetUrlKey.ts';

const keepMs = 60_000;
const minAgeMs = 1_000;

/** The key that signs the URLs of assets, kept for a minute. */
export interface AssetUrlKey {
  /** Undefined while no URL was ever signed. With `isStale`, what is kept for longer than a second is read again. */
  read(isStale?: boolean): Promise<Buffer | undefined>;
  /** The key as it was last read; undefined before that. */
  readonly known: Buffer | undefined;
}

/** Reads the key through the executor. */
export function createAssetUrlKey(executor: Executor, nowMs: () => number): AssetUrlKey {
  let kept: { readonly key: Promise<Buffer | undefined>; readonly atMs: number } | undefined;
  let known: Buffer | undefined;
  const load = async (): Promise<Buffer | undefined> => {
    known = await executor.run(systemCaller, GetAssetUrlKey);
    return known;
  };
  return {
    get known() {
      return known;
    },
    read(isStale = false) {
      const ageMs = kept === undefined ? Infinity : nowMs() - kept.atMs;
      if (kept !== undefined && ageMs < (isStale ? minAgeMs : keepMs)) return kept.key;
      const mine = { key: load(), atMs: nowMs() };
      kept = mine;
      mine.key.catch(() => {
        if (kept === mine) kept = undefined;
      });
      return mine.key;
    },
  };
}
