import type { Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { Meter } from '../../../ui/picture/Meter.tsx';
import { Sparkline } from '../../../ui/picture/Sparkline.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { Duration } from '../../../ui/time/Duration.tsx';
import { dashboardCopy as words } from './copy.ts';
import { changeOf, lineOf, type Week } from './week.ts';

type Node = Output<'cluster_GetClusterDetails'>['nodes'][number];

/** Above this share of its machine a node is shown in amber. */
const busyShare = 0.8;
const shownNodes = 9;

/** The nodes with their connections, load and memory. They were read at `readAt`, in milliseconds since the epoch. */
export function NodeCards({
  nodes,
  week,
  readAt,
}: {
  nodes: readonly Node[];
  week: Week | undefined;
  readAt: number;
}) {
  const isAlone = nodes.length === 1;
  const columns = isAlone ? '' : nodes.length === 2 ? 'sm:grid-cols-2' : 'sm:grid-cols-2 lg:grid-cols-3';
  return (
    <div className="min-w-0">
      <ul className={`grid grid-cols-1 gap-5 ${columns}`}>
        {nodes.slice(0, shownNodes).map((node) => (
          <NodeCard key={node.nodeId} {...{ node, week, readAt, isAlone }} />
        ))}
      </ul>
      {nodes.length > shownNodes && (
        <p className="mt-3 text-body">
          <TextLink render={<Link to="/admin/cluster" />}>{words.allNodes(nodes.length)}</TextLink>
        </p>
      )}
    </div>
  );
}

/** A node that is alone takes the row, with its figures beside each other. */
function NodeCard({
  node,
  week,
  readAt,
  isAlone,
}: {
  node: Node;
  week: Week | undefined;
  readAt: number;
  isAlone: boolean;
}) {
  const { name = words.unnamed, uptimeSecs, version, connections = 0 } = node;
  const line = lineOf(week, week?.nodes.find((one) => one.name === node.name)?.connections ?? []);
  const change = line && changeOf(line, connections);
  return (
    <li
      className={`min-w-0 rounded-card border border-line bg-surface p-4.5 ${isAlone ? 'grid grid-cols-1 gap-x-10 sm:grid-cols-2 sm:items-center lg:grid-cols-4' : ''}`}
    >
      <div
        className={`flex items-baseline justify-between gap-x-3 ${isAlone ? 'lg:flex-col lg:items-start' : ''}`}
      >
        <h2 className="flex min-w-0 items-center gap-2.5 text-section">
          <span aria-hidden className="size-2 shrink-0 rounded-full bg-ok-fill filled-when-forced" />
          <Link to="/admin/cluster" className="truncate hover:underline">
            {name}
          </Link>
        </h2>
        <span className="tabular shrink-0 text-small text-ink2">
          {words.up} <Duration seconds={uptimeSecs} measuredAt={readAt} />
          {version !== undefined && <span className="font-mono"> · {version}</span>}
        </span>
      </div>
      <div
        className={`flex min-h-8 items-center justify-between gap-4 ${isAlone ? 'max-sm:my-1.5' : 'mt-1.5 mb-2'}`}
      >
        <span className="whitespace-nowrap">
          <b className="tabular text-section">{connections.toLocaleString('en')}</b>{' '}
          <span className="text-small text-ink2">{words.connections(connections)}</span>
        </span>
        {line !== undefined && change !== undefined && (
          <span className="w-24">
            <Sparkline
              values={[...line.values, connections]}
              label={words.nodeLine(name, change.low, change.high)}
            />
          </span>
        )}
      </div>
      <Usage {...node} />
    </li>
  );
}

/** The load and the memory of a node, as far as it tells them. */
function Usage({ load, cores, memoryBytes, machineMemoryBytes }: Node) {
  return (
    <>
      {load !== undefined && cores !== undefined && (
        <UsageMeter
          label={words.load}
          value={load}
          max={cores}
          text={words.loadOf(load.toLocaleString('en', { maximumFractionDigits: 1 }), cores)}
        />
      )}
      {memoryBytes !== undefined && machineMemoryBytes !== undefined && (
        <UsageMeter
          label={words.memory}
          value={memoryBytes}
          max={machineMemoryBytes}
          text={words.memoryOf(formatSize(memoryBytes), formatSize(machineMemoryBytes))}
        />
      )}
    </>
  );
}

function UsageMeter({
  label,
  value,
  max,
  text,
}: {
  label: string;
  value: number;
  max: number;
  text: string;
}) {
  return (
    <div className="mt-2">
      <div className="mb-1 flex justify-between gap-3 text-small">
        <span className="text-ink2">{label}</span>
        <span className="tabular">{text}</span>
      </div>
      <Meter {...{ label, value, max, text }} isBusy={value > busyShare * max} />
    </div>
  );
}
