import { deviceLabel } from '../../../parts/listed-device.ts';
import { operationCopy } from '../../../parts/operation/copy.ts';
import { OperationStatus } from '../../../parts/operation/OperationStatus.tsx';
import { StepBar } from '../../../parts/operation/StepBar.tsx';
import { stepText } from '../../../parts/operation/step-text.ts';
import { countColumn, nameColumn, timeColumn } from '../../../ui/table/columns.tsx';
import { formatDuration } from '../../../ui/time/format-duration.ts';
import { toMs } from '../../../ui/time/format-time.ts';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { operationsCopy } from '../copy.ts';
import type { FoundOperation, Target } from '../fleet-operations.ts';

const words = operationsCopy.targets;

/** The columns of the devices of an operation. */
export function targetColumns({
  steps,
  stages,
  hasAttempts,
}: Pick<FoundOperation, 'steps' | 'stages'> & {
  /** Whether some device tried again. */
  hasAttempts: boolean;
}): DataColumn<Target>[] {
  const attempts = countColumn<Target>({
    id: 'attempt',
    header: words.columns.attempt,
    width: '5rem',
    isExtra: true,
    of: ({ attempt }) => attempt,
  });
  return [
    nameColumn({
      id: 'device',
      header: words.columns.device,
      width: '13rem',
      of: targetName,
      cell: (target) => (
        <span className="font-head wrap-anywhere text-ink in-[td]:block in-[td]:min-w-40 in-[th]:block in-[th]:min-w-40">
          {targetName(target)}
        </span>
      ),
    }),
    {
      id: 'stage',
      header: words.columns.stage,
      width: '5rem',
      tightWidth: '4rem',
      value: ({ stageIndex }) => stages[stageIndex]?.name ?? stageIndex + 1,
      cell: ({ stageIndex }) => (
        <span className="tabular whitespace-nowrap text-ink2">
          {stages[stageIndex]?.name ?? stageIndex + 1}
        </span>
      ),
    },
    {
      id: 'status',
      header: words.columns.status,
      width: '8rem',
      tightWidth: '7rem',
      value: ({ status }) => operationCopy.states[status],
      cell: ({ status }) => <OperationStatus status={status} />,
      onPhone: 'badge',
    },
    {
      id: 'step',
      header: words.columns.step,
      width: '14rem',
      tightWidth: '10rem',
      value: ({ stepIndex }) => stepIndex + 1,
      cell: ({ stepIndex, status }) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <StepBar count={steps.length} {...{ stepIndex, status }} />
          {(status === 'Running' || status === 'Failed' || status === 'TimedOut') &&
            steps[stepIndex] !== undefined && (
              <span className="min-w-0 truncate">{stepText(steps[stepIndex])}</span>
            )}
        </span>
      ),
    },
    {
      id: 'word',
      header: words.columns.word,
      isFilling: true,
      value: lastWord,
      cell: (target) => <span className="line-clamp-2 wrap-anywhere text-ink2">{lastWord(target)}</span>,
    },
    ...(hasAttempts ? [attempts] : []),
    timeColumn({
      id: 'updated',
      header: words.columns.updated,
      width: '7.5rem',
      tightWidth: '6.5rem',
      of: ({ updatedAt }) => updatedAt,
    }),
  ];
}

/** What the device of a target is called. */
export function targetName({ deviceName, deviceId }: Target): string {
  return deviceLabel({ name: deviceName, deviceId });
}

/** What is known of a device last: its error, its outcome, or why nothing happens. */
function lastWord(target: Target): string {
  const { lastError, outcome, status, isConnected } = target;
  if (lastError !== undefined) return lastError;
  if (outcome !== undefined) return operationCopy.outcomes[outcome];
  if (status === 'Running') return isConnected ? words.runs : words.offline;
  if (status === 'Pending') return isConnected ? words.waits : words.offline;
  return status === 'Succeeded' ? timeTaken(target) : '';
}

/** How long the steps of a device took. */
function timeTaken({ stepStates }: Target): string {
  const [from, to] = [stepStates[0]?.startedAt, stepStates.at(-1)?.completedAt];
  return from === undefined || to === undefined
    ? ''
    : words.took(formatDuration((toMs(to) - toMs(from)) / 1000));
}
