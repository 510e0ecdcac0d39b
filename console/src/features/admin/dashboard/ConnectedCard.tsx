import { Link, useNavigate } from '@tanstack/react-router';
import { Card } from '../../../ui/layout/Card.tsx';
import { AreaChart } from '../../../ui/picture/AreaChart.tsx';
import { StackedAreas } from '../../../ui/picture/StackedAreas.tsx';
import { formatTimeOfDay, toMs } from '../../../ui/time/format-time.ts';
import { dashboardCopy as words } from './copy.ts';
import { ListTitle } from './Facts.tsx';
import { changeOf, formatDayOf, lineOf, type NodeSeries, nodeSeries, type Week } from './week.ts';

const pointText = (atMs: number): string => `${formatDayOf(atMs)} ${formatTimeOfDay(atMs)}`;
const stackHeight = 140;
/** The layers of nodes, and the keys beside their names. */
const fills = ['fill-ok-fill', 'fill-ok-fill/70', 'fill-ok-fill/45', 'fill-ok-fill/25'];
const keys = ['bg-ok-fill', 'bg-ok-fill/70', 'bg-ok-fill/45', 'bg-ok-fill/25'];

interface Shown {
  readonly week: Week;
  readonly devices: number;
  readonly connected: number;
}

/** How many devices were connected over seven days, by node where there are several; when no hub was there to see it is hatched. */
export function ConnectedCard(shown: Shown) {
  const { week, connected } = shown;
  const line = lineOf(week, week.connected);
  if (line === undefined) return null;
  const { low, high } = changeOf(line, connected);
  const nodes = nodeSeries(week);
  const isStack = nodes.length > 1;
  const between = <span className="tabular text-small text-ink2">{words.between(low, high)}</span>;
  return (
    <Card
      title={<ListTitle link={<Link to="/projects" />}>{words.connected}</ListTitle>}
      actions={isStack ? <NodeKeys nodes={nodes} /> : between}
    >
      {isStack ? (
        <NodeAreas {...{ week, nodes }} />
      ) : (
        <ConnectedArea {...shown} label={words.connectedLine(low, high, connected)} />
      )}
    </Card>
  );
}

const timesOf = ({ from, stepSeconds, watched }: Week) => ({
  fromMs: toMs(from),
  stepMs: stepSeconds * 1000,
  steps: watched.length,
});

const gapsOf = ({ gaps }: Week) =>
  gaps.map(({ from, to }) => ({
    fromMs: toMs(from),
    toMs: toMs(to),
    text: words.away(pointText(toMs(from)), pointText(toMs(to))),
  }));

function ConnectedArea({ week, devices, label }: Shown & { label: string }) {
  const navigate = useNavigate();
  const times = timesOf(week);
  return (
    <AreaChart
      label={label}
      times={times}
      values={week.connected}
      limit={devices}
      gaps={gapsOf(week)}
      describe={(step) => (
        <>
          <b className="font-head">{pointText(times.fromMs + step * times.stepMs)}</b>{' '}
          {words.connectedAt(week.connected[step] ?? undefined)}
        </>
      )}
      onOpen={() => void navigate({ to: '/projects' })}
    />
  );
}

function NodeAreas({ week, nodes }: { week: Week; nodes: readonly NodeSeries[] }) {
  const times = timesOf(week);
  const nameOf = (step: number) => pointText(times.fromMs + step * times.stepMs);
  return (
    <StackedAreas
      label={words.nodesChart}
      times={times}
      layers={nodes.map(({ name = words.otherNodes, connections }, index) => ({
        name,
        values: connections,
        className: `stroke-surface ${fills[index] ?? ''}`,
      }))}
      gaps={gapsOf(week)}
      height={stackHeight}
      nameOf={nameOf}
      describe={(step) => (
        <>
          <b className="font-head">{nameOf(step)}</b>{' '}
          {nodes
            .map(({ name = words.otherNodes, connections }) => words.nodeAt(name, connections[step]))
            .join(', ')}
        </>
      )}
    />
  );
}

function NodeKeys({ nodes }: { nodes: readonly NodeSeries[] }) {
  return (
    <ul className="flex flex-wrap gap-x-3.5 text-small text-ink2">
      {nodes.map(({ name = words.otherNodes }, index) => (
        <li key={name} className="flex items-center gap-1.5">
          <span aria-hidden className={`bordered-when-forced size-2.5 rounded-[2px] ${keys[index] ?? ''}`} />
          {name}
        </li>
      ))}
      <li>{words.sevenDays}</li>
    </ul>
  );
}
