import type { StoreCapabilities, StoreSettings } from '../domains/assets/storage/s3/store-settings.ts';
import type { Log } from '../platform/log/log.ts';

/** The S3-compatible store of the configuration, which may be unavailable when the hub starts. */
export interface InstanceStore {
  /** A sentence for the operator while the store cannot be used; undefined if it can. */
  notice(): string | undefined;
  /** Stops retrying. */
  stop(): void;
}

interface InstanceStoreParts {
  /** Undefined without such a store. */
  readonly settings: StoreSettings | undefined;
  readonly probe: (settings: StoreSettings) => Promise<StoreCapabilities>;
  readonly save: (capabilities: StoreCapabilities) => Promise<void>;
  readonly log: Log;
  readonly retryAfterMs?: number;
}

const unavailableNotice =
  'The S3-compatible store at CORRAL_S3_ENDPOINT cannot be used: assets in it can neither be uploaded nor downloaded. The hub tries again every 30 s; its log says why.';

/** Probes the capabilities of the store, and retries until it answers. The hub starts meanwhile; until the probe succeeds all bytes go through the hub. */
export function probeInstanceStore(parts: InstanceStoreParts): InstanceStore {
  const { settings, probe, save, log, retryAfterMs = 30_000 } = parts;
  let isUnavailable = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  async function check(store: StoreSettings): Promise<void> {
    try {
      const capabilities = await probe(store);
      if (isStopped) return;
      await save(capabilities);
      isUnavailable = false;
      log.info({ capabilities: JSON.stringify(capabilities) }, 'checked the S3-compatible store');
    } catch (error) {
      if (isStopped) return;
      isUnavailable = true;
      log.warn({ err: error }, 'CORRAL_S3_ENDPOINT: the S3-compatible store cannot be used now');
      timer = setTimeout(() => void check(store), retryAfterMs);
    }
  }
  if (settings !== undefined) void check(settings);
  return {
    notice: () => (isUnavailable ? unavailableNotice : undefined),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
