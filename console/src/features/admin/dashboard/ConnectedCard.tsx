import { Link, useNavigate } from '@tanstack/react-router';
import { Card } from '../../../ui/layout/Card.tsx';
import { AreaChart } from '../../../ui/picture/AreaChart.tsx';
import { formatTimeOfDay, toMs } from '../../../ui/time/format-time.ts';
import { dashboardCopy as words } from './copy.ts';
import { ListTitle } from './Facts.tsx';
import { changeOf, formatDayOf, lineOf, type Week } from './week.ts';

const pointText = (atMs: number): string => `${formatDayOf(atMs)} ${formatTimeOfDay(atMs)}`;

/** How many devices were connected over seven days; when no hub was there to see it is hatched. */
export function ConnectedCard({
  week,
  devices,
  connected,
}: {
  week: Week;
  devices: number;
  connected: number;
}) {
  const navigate = useNavigate();
  const line = lineOf(week, week.connected);
  if (line === undefined) return null;
  const { low, high } = changeOf(line, connected);
  const times = { fromMs: toMs(week.from), stepMs: week.stepSeconds * 1000, steps: week.watched.length };
  return (
    <Card
      title={<ListTitle link={<Link to="/projects" />}>{words.connected}</ListTitle>}
      actions={<span className="tabular text-small text-ink2">{words.between(low, high)}</span>}
    >
      <AreaChart
        label={words.connectedLine(low, high, connected)}
        times={times}
        values={week.connected}
        limit={devices}
        gaps={week.gaps.map(({ from, to }) => ({
          fromMs: toMs(from),
          toMs: toMs(to),
          text: words.away(pointText(toMs(from)), pointText(toMs(to))),
        }))}
        describe={(step) => (
          <>
            <b className="font-head">{pointText(times.fromMs + step * times.stepMs)}</b>{' '}
            {words.connectedAt(week.connected[step] ?? undefined)}
          </>
        )}
        onOpen={() => void navigate({ to: '/projects' })}
      />
    </Card>
  );
}
