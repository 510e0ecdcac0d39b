import type { Internal } from '../../../calls/handler.ts';
import { mostWaitingBytes, oldestKept } from '../policy/backlog.ts';
import { trimBacklog, type TakenStream } from '../sql/export-progress.ts';
import type { Exported, OtlpCursor } from '../sql/export-sources.ts';

/** Drops the oldest records of a taken stream where too many wait, a part at a time; undefined if the node has lost the stream. */
export const TrimBacklog: Internal<
  TakenStream & Exported,
  { readonly cursor: OtlpCursor; readonly isMore: boolean; readonly dropped: number } | undefined
> = {
  name: 'otlp_TrimBacklog',

  run: ({ tx, input, now }) =>
    trimBacklog(tx, input, input, { now, oldest: oldestKept(now), maxBytes: mostWaitingBytes }),
};
