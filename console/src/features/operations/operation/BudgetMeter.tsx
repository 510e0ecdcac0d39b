import { operationsCopy } from '../copy.ts';
import type { FoundOperation } from '../fleet-operations.ts';

const words = operationsCopy.budget;
const maxNotches = 12;

/** How many failures the active stage has, of those that it tolerates: a notch each up to twelve, above that a bar. */
export function BudgetMeter({ operation: { summary, stageStates } }: { operation: FoundOperation }) {
  const { status, activeStageIndex, stageCount } = summary;
  const state = stageStates[activeStageIndex];
  if (state === undefined) return null;
  const { failures, budget } = state;
  const left = budget - failures;
  const title = words.title(activeStageIndex + 1, stageCount);
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap justify-between gap-x-3 text-label font-normal text-ink2">
        {title}
        <b className={`tabular whitespace-nowrap ${failures > 0 ? 'text-danger' : 'text-ink'}`}>
          {words.used(failures, budget)}
        </b>
      </p>
      <div
        role="meter"
        aria-label={title}
        aria-valuenow={failures}
        aria-valuemin={0}
        aria-valuemax={Math.max(budget, failures)}
        aria-valuetext={words.used(failures, budget)}
        className="flex h-2 gap-0.5"
      >
        {budget <= maxNotches ? (
          Array.from({ length: Math.max(budget, 1) }, (_, index) => (
            <span
              key={index}
              className={`bordered-when-forced flex-1 rounded-[2px] border ${index < failures ? 'filled-when-forced border-danger-fill bg-danger-fill' : 'border-line-strong'}`}
            />
          ))
        ) : (
          <span className="bordered-when-forced flex-1 overflow-clip rounded-[2px] border border-line-strong">
            <span
              className="filled-when-forced block h-full bg-danger-fill"
              style={{ width: `${Math.min(100, (failures / budget) * 100)}%` }}
            />
          </span>
        )}
      </div>
      {(status === 'Running' || status === 'Paused') && (
        <p className="text-small text-ink2">{words.left(left)}</p>
      )}
    </div>
  );
}
