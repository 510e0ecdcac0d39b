import type { Internal } from '../../../calls/handler.ts';
import { lastChunk, storeChunk, type Chunk, type ChunkHead } from '../sql/chunks.ts';

/** Stores the next part of a recording. Where one of its number is stored, as after an answer that was lost, it says which is the last. */
export const StoreChunk: Internal<Chunk, ChunkHead | undefined> = {
  name: 'terminals_StoreChunk',
  async run({ tx, input }) {
    return (await storeChunk(tx, input)) ? undefined : lastChunk(tx, input.sessionId);
  },
};
