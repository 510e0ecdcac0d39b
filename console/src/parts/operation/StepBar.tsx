import { operationCopy } from './copy.ts';
import { type AnyStatus } from './OperationStatus.tsx';

const fills: Partial<Record<AnyStatus, string>> = {
  Succeeded: 'bg-ok-fill',
  Skipped: 'bg-ok-soft border border-ok-fill',
  Running: 'bg-denim',
  Failed: 'bg-danger-fill',
  TimedOut: 'bg-danger-fill',
};

/** The steps of an operation on one device as a bar of as many parts; up to twelve, further ones are one. */
export function StepBar({
  count,
  stepIndex,
  status,
}: {
  count: number;
  /** The step that it has reached. */
  stepIndex: number;
  status: AnyStatus;
}) {
  const shown = Math.min(count, 12);
  const at = Math.min(stepIndex, shown - 1);
  const isDone = status === 'Succeeded';
  return (
    <span
      role="img"
      aria-label={operationCopy.steps.bar(
        isDone ? count : Math.min(stepIndex + 1, count),
        count,
        operationCopy.states[status],
      )}
      className="inline-flex gap-0.5"
    >
      {Array.from({ length: shown }, (_, index) => (
        <span
          key={index}
          className={`bordered-when-forced h-2 w-3 rounded-[2px] ${fillOf(isDone || index < at ? 'Succeeded' : index === at ? status : 'Pending')}`}
        />
      ))}
    </span>
  );
}

const fillOf = (status: AnyStatus): string => fills[status] ?? 'bg-v4';
