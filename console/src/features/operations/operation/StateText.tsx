import { Duration } from '../../../ui/time/Duration.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { formatDuration } from '../../../ui/time/format-duration.ts';
import { formatTimeOfDay, toMs } from '../../../ui/time/format-time.ts';
import { operationsCopy } from '../copy.ts';
import type { FleetOperation } from '../fleet-operations.ts';

const words = operationsCopy.state;

/** What is said of an operation after the word for its status. */
export function StateText({ summary }: { summary: FleetOperation }) {
  const { status, progress, startedAt, completedAt, activeStageIndex, stageCount, opensAt } = summary;
  const failed = progress.failed + progress.timedOut - summary.notDelivered;
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
          {opensAt !== undefined && (
            <>
              {words.window(formatTimeOfDay(toMs(opensAt)))} <RelativeTime at={opensAt} />
            </>
          )}
          {opensAt === undefined &&
            progress.running === 0 &&
            progress.pending > 0 &&
            words.waiting(progress.pending)}
        </>
      );
    case 'Paused':
      return words.paused(stage, stageCount);
    case 'Completed':
      return words.completed(progress.succeeded, tookOf(startedAt, completedAt));
    case 'Failed':
      return failed > 0 ? words.failed(failed) : words.selectionFailed(summary.selectionErrors);
    case 'Cancelled':
      return words.cancelled(progress.succeeded, progress.total);
  }
}

const tookOf = (from: string | undefined, to: string | undefined): string =>
  from === undefined || to === undefined ? '' : formatDuration((toMs(to) - toMs(from)) / 1000);
