import type { Output } from '@corral/contract';
import { useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { useFailure } from '../../../ui/form/use-failure.ts';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { operationsCopy } from '../copy.ts';
import { advanceStage, type FoundOperation } from '../fleet-operations.ts';

const words = operationsCopy.advance;

type Blocked = Extract<Output<'fleet_AdvanceOperationStage'>, { result: 'GuardBlocked' }>;

/** Asks before the next stage opens; when the guard does not allow it, says why, and opens it nevertheless for a reason. */
export function AdvanceDialog({
  operation: { summary, stages, stageStates },
  open,
  onOpenChange,
}: {
  operation: FoundOperation;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const run = useRun();
  const [failure, attempt, forget] = useFailure();
  const [blocked, setBlocked] = useState<Blocked>();
  const [reason, setReason] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const next = summary.activeStageIndex + 1;
  const { fleetOperationId } = summary;
  async function advance(): Promise<void> {
    setIsBusy(true);
    await attempt(async () => {
      const answer = await run(advanceStage, {
        fleetOperationId,
        ...(blocked === undefined ? {} : { force: true, reason: reason.trim() }),
      });
      if (answer.result === 'GuardBlocked') {
        setBlocked(answer);
        return;
      }
      onOpenChange(false);
      if (answer.result === 'Advanced')
        showToast(summary.status === 'Paused' ? words.opensLater : words.opened, { tone: 'ok' });
      else showToast(words.final);
    });
    setIsBusy(false);
  }
  function reset(): void {
    setBlocked(undefined);
    setReason('');
    forget();
  }
  return (
    <FormDialog
      size="small"
      title={words.title(stages[next]?.name ?? String(next + 1))}
      {...{ open, onOpenChange }}
      onReset={reset}
      onSubmit={() => void advance()}
      submitLabel={blocked === undefined ? words.verb : words.force}
      canSubmit={blocked === undefined || reason.trim() !== ''}
      busy={isBusy}
      error={failure}
    >
      {blocked === undefined ? (
        <p className="text-body text-ink2">{words.text(stageStates[next]?.devices ?? 0)}</p>
      ) : (
        <>
          <Answer {...{ blocked }} />
          <TextField
            label={words.reason}
            required
            maxLength={1024}
            value={reason}
            onValueChange={setReason}
          />
        </>
      )}
    </FormDialog>
  );
}

/** What the guard said. */
function Answer({
  blocked: { minSuccessPercent, successPercent, maxFailurePercent, failurePercent, gates },
}: {
  blocked: Blocked;
}) {
  const lines = [
    minSuccessPercent !== undefined &&
      successPercent < minSuccessPercent &&
      words.success(successPercent, minSuccessPercent),
    maxFailurePercent !== undefined &&
      failurePercent > maxFailurePercent &&
      words.failure(failurePercent, maxFailurePercent),
    ...gates
      .filter(({ passed }) => !passed)
      .map(
        ({ summary, actualPercent, thresholdPercent, evaluationErrorCount, evaluationError }) =>
          `${words.gate(summary, actualPercent, thresholdPercent)}${
            evaluationErrorCount > 0
              ? `; ${words.gateErrors(evaluationErrorCount, evaluationError ?? '')}`
              : ''
          }`,
      ),
  ].filter((line) => line !== false);
  return (
    <div role="alert" className="text-body">
      <p className="text-ink2">{words.blocked}</p>
      <ul className="mt-2 list-disc ps-5">
        {lines.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}
