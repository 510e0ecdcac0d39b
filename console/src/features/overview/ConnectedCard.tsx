import type { Id } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { AreaChart } from '../../ui/picture/AreaChart.tsx';
import { devicesOfState } from '../../parts/device-filters.ts';
import { historyCopy } from '../../parts/history/copy.ts';
import { overviewCopy } from './copy.ts';
import { gapsOf, type History, pointText, timesOf } from '../../parts/history/history-times.ts';
import { LinkedCard } from '../../ui/layout/LinkedCard.tsx';
import type { Range } from '../../parts/history/chart-range.ts';
import { useLists } from './use-lists.ts';

/** How many devices were connected over a time; where no hub was there to see it, the picture says so. */
export function ConnectedCard({
  projectId,
  history,
  range,
  devices,
}: {
  projectId: Id<'project'>;
  history: History;
  range: Range;
  /** How many there are now. */
  devices: number;
}) {
  const { hrefOf, open } = useLists(projectId);
  const low = extreme(history.connectedLow, Math.min);
  const high = extreme(history.connectedHigh, Math.max);
  const isDay = range === '24h';
  const now = history.connected.findLast((value) => value !== null) ?? 0;
  return (
    <LinkedCard
      title={overviewCopy.connected}
      link={
        <Link to="/projects/$projectId/devices" params={{ projectId }} search={devicesOfState.connected} />
      }
      aside={
        low !== undefined &&
        high !== undefined && (
          <>
            {overviewCopy.between} <b className="font-head text-ink">{low.toLocaleString('en')}</b>{' '}
            {overviewCopy.and} <b className="font-head text-ink">{high.toLocaleString('en')}</b>
          </>
        )
      }
    >
      {low === undefined || high === undefined ? (
        <p className="text-body text-ink2">{overviewCopy.chartNothing}</p>
      ) : (
        <AreaChart
          label={overviewCopy.chart(historyCopy.lastRange[range], low, high, now)}
          times={timesOf(history)}
          values={history.connected}
          limit={devices}
          gaps={gapsOf(history, isDay)}
          describe={(step) => <StepText {...{ history, step, isDay }} />}
          onOpen={() => open(hrefOf(devicesOfState.connected))}
        />
      )}
    </LinkedCard>
  );
}

function StepText({ history, step, isDay }: { history: History; step: number; isDay: boolean }) {
  const { fromMs, stepMs } = timesOf(history);
  const connected = history.connected[step];
  return (
    <>
      <b className="font-head">{pointText(fromMs + step * stepMs, isDay)}</b>{' '}
      {typeof connected === 'number' ? overviewCopy.stepConnected(connected) : historyCopy.noRecord}
    </>
  );
}

function extreme(
  values: readonly (number | null)[],
  choose: (...values: number[]) => number,
): number | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : choose(...known);
}
