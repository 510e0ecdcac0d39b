import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HashStates } from '../../domains/assets/storage/hash-states.ts';
import type { Storages } from '../../domains/assets/storage/storages.ts';
import type { Executor } from '../../calls/executor.ts';
import type { Given } from '../../calls/handler.ts';
import type { CompleteAssetUploads } from '../../domains/assets/internal/CompleteAssetUploads.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import type { ServedBytes } from './ServedBytes.ts';
import type { AssetUrlKey } from './asset-url-key.ts';
import type { TransferLimits } from './limits.ts';
import type { BatchQueue } from '../../platform/concurrency/BatchQueue.ts';
import type { LogFields } from '../../platform/log/log-fields.ts';

/** What the transfers are built from. */
export interface TransfersParts {
  readonly executor: Executor;
  readonly storages: Storages;
  /** The client's address, as limits use it. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
  readonly nowMs: () => number;
  readonly now: () => Date;
  /** Overrides of `defaultLimits`. */
  readonly limits?: Partial<TransferLimits>;
  readonly log: Record<'warn' | 'error', (fields: LogFields, message: string) => void>;
}

/** An upload whose bytes are durable. */
export type CompletedUpload = Given<typeof CompleteAssetUploads>['uploads'][number];

/** The state that all transfers share. */
export interface TransfersContext {
  readonly parts: TransfersParts;
  readonly limits: TransferLimits;
  readonly key: AssetUrlKey;
  readonly uploads: FairSemaphore;
  /** All downloads; those of public files take a place of `publicFiles` as well. */
  readonly downloads: FairSemaphore;
  readonly publicFiles: FairSemaphore;
  /** The questions to the database that come before a place, by network. */
  readonly lookUps: FairSemaphore;
  /** The downloads that hold bytes back until these are checked. */
  readonly checking: Set<ServerResponse>;
  readonly served: ServedBytes;
  /** The running hashes of resumable uploads to object stores. */
  readonly hashes: HashStates;
  /** The assets that this process is writing. */
  readonly writing: Set<string>;
  /** Makes assets available; those that end at the same time share a transaction and its flush. */
  readonly completions: BatchQueue<CompletedUpload, 'Completed' | 'NotFound'>;
  /** Aborts when the hub stops. */
  readonly stopping: AbortSignal;
}
