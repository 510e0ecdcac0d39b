// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { QueryHistory } from './QueryHistory.ts';
import { QueryStoredBytes } from './QueryStoredBytes.ts';
import { QueryVersionHistory } from './QueryVersionHistory.ts';

/** The actions of this domain by wire name. */
export const historyActions = {
  projects_QueryHistory: QueryHistory,
  repositories_QueryStoredBytes: QueryStoredBytes,
  projects_QueryVersionHistory: QueryVersionHistory,
};
