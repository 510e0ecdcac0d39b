import { ContentHash } from './content-hash.ts';

const maxStates = 256;

/** The running hashes of uploads in this process, at most `maxStates`. */
export interface HashStates {
  keep(uploadId: string, hash: ContentHash): void;
  /** Takes the hash of an upload of this size; undefined if it is not known. */
  take(uploadId: string, sizeBytes: number): ContentHash | undefined;
}

/** Builds the memory of running hashes. */
export function createHashStates(): HashStates {
  const states = new Map<string, ContentHash>();
  return {
    keep(uploadId, hash) {
      states.delete(uploadId);
      states.set(uploadId, hash);
      const [oldest] = states.keys();
      if (states.size > maxStates && oldest !== undefined) states.delete(oldest);
    },
    take(uploadId, sizeBytes) {
      const hash = sizeBytes === 0 ? new ContentHash() : states.get(uploadId);
      states.delete(uploadId);
      return hash?.sizeBytes === sizeBytes ? hash : undefined;
    },
  };
}
