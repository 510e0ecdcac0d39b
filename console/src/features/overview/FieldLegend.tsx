import type { Id, Output } from '@corral/contract';
import { devicesOfState } from '../../parts/device-filters.ts';
import { overviewCopy } from './copy.ts';
import { DeviceCount } from './DeviceCount.tsx';
import { DotKey } from './DotKey.tsx';
import { GroupingMenu } from './GroupingMenu.tsx';

const states = ['connected', 'disconnected', 'waiting'] as const;

/** What the dots mean, how many there are of each, and by what they are grouped. */
export function FieldLegend({
  projectId,
  overview: { counts, groupBy, labels },
  devicesPerDot,
  onGroupBy,
}: {
  projectId: Id<'project'>;
  overview: Output<'projects_GetOverview'>;
  devicesPerDot: number;
  onGroupBy: (label: string) => void;
}) {
  return (
    <div className="mt-3.5 flex flex-wrap items-center gap-x-5 gap-y-2 text-small text-ink2">
      {states.map(
        (state) =>
          (state !== 'waiting' || counts.waiting > 0) && (
            <span key={state} className="flex items-center gap-1.5">
              <DotKey state={state} />
              {overviewCopy.states[state]}{' '}
              <DeviceCount
                {...{ projectId }}
                count={counts[state]}
                label={overviewCopy.states[state]}
                search={devicesOfState[state]}
              />
            </span>
          ),
      )}
      <span className="ms-auto flex items-center gap-1.5">
        {overviewCopy.oneDot(devicesPerDot)}
        <GroupingMenu {...{ groupBy, labels, onGroupBy }} />
      </span>
    </div>
  );
}
