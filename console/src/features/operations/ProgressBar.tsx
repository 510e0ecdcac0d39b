import { operationsCopy } from './copy.ts';
import type { FleetOperation } from './fleet-operations.ts';

type Progress = FleetOperation['progress'];

const parts: readonly [(of: Progress) => number, string][] = [
  [({ failed, timedOut }) => failed + timedOut, 'bg-danger-fill'],
  [({ succeeded }) => succeeded, 'bg-ok-fill'],
  [({ running }) => running, 'bg-denim'],
  [({ cancelled }) => cancelled, 'bg-v4 border border-line-strong'],
];

/** How many devices of an operation stand how, as a slim bar with the numbers beside it. */
export function ProgressBar({ progress }: { progress: Progress }) {
  const { total, succeeded, failed, timedOut } = progress;
  if (total === 0) return <span className="text-small text-ink3">{operationsCopy.noTargets}</span>;
  const bad = failed + timedOut;
  return (
    <span className="flex min-w-44 items-center gap-3">
      <span
        aria-hidden
        className="flex h-2 min-w-20 flex-1 gap-px overflow-clip rounded-[3px] border border-line-strong/60 bg-sunken"
      >
        {parts.map(
          ([of, fill]) =>
            of(progress) > 0 && (
              <span
                key={fill}
                className={`filled-when-forced ${fill}`}
                style={{ flexBasis: `${(of(progress) / total) * 100}%`, minWidth: 3 }}
              />
            ),
        )}
      </span>
      <span className="tabular text-small whitespace-nowrap text-ink2">
        {operationsCopy.done(succeeded, total)}
        {bad > 0 && <span className="text-danger"> · {operationsCopy.failedShort(bad)}</span>}
      </span>
    </span>
  );
}
