import { Duration } from '../../../ui/time/Duration.tsx';
import { formatDuration } from '../../../ui/time/format-duration.ts';
import { toMs } from '../../../ui/time/format-time.ts';
import { operationsCopy } from '../copy.ts';
import type { FleetOperation } from '../fleet-operations.ts';

const words = operationsCopy.state;

/** What is said of an operation after the word for its status. */
export function StateText({ summary }: { summary: FleetOperation }) {
  const { status, progress, startedAt, completedAt, activeStageIndex, stageCount } = summary;
  const stage = Math.min(activeStageIndex + 1, stageCount);
  switch (status) {
    case 'Draft':
      return words.draft;
    case 'Running':
      return (
        <>
          {startedAt !== undefined && (
            <>
              {words.runningFor} <Duration seconds={0} measuredAt={toMs(startedAt)} />
            </>
          )}
          {words.running(stage, stageCount)}
          {progress.running === 0 && progress.pending > 0 && words.waiting(progress.pending)}
        </>
      );
    case 'Paused':
      return words.paused(stage, stageCount);
    case 'Completed':
      return words.completed(progress.succeeded, tookOf(startedAt, completedAt));
    case 'Failed':
      return progress.failed + progress.timedOut > 0
        ? words.failed(progress.failed + progress.timedOut)
        : words.selectionFailed(summary.selectionErrors);
    case 'Cancelled':
      return words.cancelled(progress.succeeded, progress.total);
  }
}

const tookOf = (from: string | undefined, to: string | undefined): string =>
  from === undefined || to === undefined ? '' : formatDuration((toMs(to) - toMs(from)) / 1000);
