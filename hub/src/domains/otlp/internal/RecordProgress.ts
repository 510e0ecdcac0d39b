import { ids } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { nextAttempt } from '../policy/next-attempt.ts';
import { recordProgress, type Progress, type TakenStream } from '../sql/export-progress.ts';

/** What became of a batch of a stream. */
export interface BatchOutcome extends TakenStream, Omit<Progress, 'hasFailed' | 'releasedUntil'> {
  /** Set where the collector took nothing, so that the batch is sent again later. */
  readonly failure: { readonly attempts: number; readonly retryAfterSecs: number | undefined } | undefined;
  /** Whether the node goes on with the stream. */
  readonly isHeld: boolean;
}

/** Records what became of a batch; false if the node has lost the stream, or it was changed. */
export const RecordProgress: Internal<BatchOutcome, boolean> = {
  name: 'otlp_RecordProgress',

  async run({ tx, input, now, emit }) {
    const { failure, isHeld } = input;
    const next =
      failure === undefined
        ? now
        : nextAttempt(failure.attempts, {
            now,
            retryAfterSecs: failure.retryAfterSecs,
            random: Math.random(),
          });
    const releasedUntil = isHeld ? undefined : next;
    const isTaken = await recordProgress(
      tx,
      input,
      { ...input, hasFailed: failure !== undefined, releasedUntil },
      now,
    );
    if (isTaken && !isHeld) emit('projects_OtlpExported', { projectId: ids.project.of(input.projectId) });
    return isTaken;
  },
};
