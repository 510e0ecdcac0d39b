import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { historyQuery } from '../../../data/queries-projects.ts';
import { hubRange, type Range } from '../../../parts/history/chart-range.ts';
import { historyCopy } from '../../../parts/history/copy.ts';
import { EventBars } from '../../../parts/history/EventBars.tsx';
import { RangeSwitch } from '../../../parts/history/RangeSwitch.tsx';
import { Card } from '../../../ui/layout/Card.tsx';

/** How many events there were over a time; a bar filters the list below by its time. */
export function EventsOverTime({
  projectId,
  range,
  onRangeChange,
  onOpen,
}: {
  projectId: Id<'project'>;
  range: Range;
  onRangeChange: (range: Range) => void;
  onOpen: (fromMs: number, toMs: number) => void;
}) {
  const { data } = useQuery(historyQuery(projectId, hubRange[range]));
  return (
    <Card
      isUnclipped
      className="mb-4"
      title={historyCopy.eventsPer[range]}
      actions={<RangeSwitch {...{ range, onRangeChange }} />}
    >
      {/* As high as the bars, so that the list does not move when they come. */}
      <div className="min-h-29">
        {data !== undefined && <EventBars history={data} {...{ range, onOpen }} />}
      </div>
    </Card>
  );
}
