import type { StoreCapabilities, StoreSettings } from '../assets/s3/store-settings.ts';
import type { Log } from '../log/log.ts';

/** The S3-compatible store of the configuration, which may be away when the hub starts. */
export interface InstanceStore {
  /** What an operator should know about it, as a sentence; undefined if it can be used. */
  notice(): string | undefined;
  /** Ends the tries. */
  stop(): void;
}

interface InstanceStoreNeeds {
  /** Undefined without such a store. */
  readonly settings: StoreSettings | undefined;
  readonly probe: (settings: StoreSettings) => Promise<StoreCapabilities>;
  readonly save: (capabilities: StoreCapabilities) => Promise<void>;
  readonly log: Log;
  readonly tryAgainAfterMs?: number;
}

const away =
  'The S3-compatible store at CORRAL_S3_ENDPOINT cannot be used: assets in it can neither be uploaded nor downloaded. The hub tries again every 30 s; its log says why.';

/** Finds out what the store enforces, again and again until it answers: the hub starts also without it, and until then everything goes through the hub. */
export function followInstanceStore(needs: InstanceStoreNeeds): InstanceStore {
  const { settings, probe, save, log, tryAgainAfterMs = 30_000 } = needs;
  let isAway = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  async function check(store: StoreSettings): Promise<void> {
    try {
      const capabilities = await probe(store);
      if (isStopped) return;
      await save(capabilities);
      isAway = false;
      log.info({ ...capabilities }, 'checked the S3-compatible store');
    } catch (error) {
      if (isStopped) return;
      isAway = true;
      log.warn({ err: error }, 'CORRAL_S3_ENDPOINT: the S3-compatible store cannot be used now');
      timer = setTimeout(() => void check(store), tryAgainAfterMs);
    }
  }
  if (settings !== undefined) void check(settings);
  return {
    notice: () => (isAway ? away : undefined),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
