// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { QueryHistory } from './QueryHistory.ts';
import { QueryVersionHistory } from './QueryVersionHistory.ts';

/** The actions of this domain by wire name. */
export const historyActions = {
  projects_QueryHistory: QueryHistory,
  projects_QueryVersionHistory: QueryVersionHistory,
};
