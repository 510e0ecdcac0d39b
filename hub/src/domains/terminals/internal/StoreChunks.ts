import type { Internal } from '../../../calls/handler.ts';
import { lastChunk, storeChunks, type ChunkHead, type NextChunks } from '../sql/chunks.ts';

/** Stores the next parts of a recording. Where some of their numbers are stored, as after an answer that was lost, it says which is the last. */
export const StoreChunks: Internal<NextChunks, ChunkHead | undefined> = {
  name: 'terminals_StoreChunks',
  async run({ tx, input }) {
    return (await storeChunks(tx, input)) ? undefined : lastChunk(tx, input.sessionId);
  },
};
