import type { Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { clusterQuery } from '../../../data/queries-account.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { BusNotice } from '../cluster/BusNotice.tsx';
import { dashboardCopy as words } from './copy.ts';
import { DamagedAssets } from './DamagedAssets.tsx';
import { formatCount, StatisticCard } from './StatisticCard.tsx';
import { statisticsQuery } from './statistics.ts';

type Day = NonNullable<Output<'instance_GetInstanceStatistics'>['days']>[number];

/** The dashboard of the administration: what the instance has, each number a link, with the last seven days. */
export function DashboardPage() {
  const { data: counts } = useLoadedQuery(statisticsQuery());
  const { nodes } = useLoadedQuery(clusterQuery()).data;
  const { days = [], connectedDevices, damagedAssets } = counts;
  const historyOf = (of: (day: Day) => number) => days.map((day) => ({ day: day.day, value: of(day) }));
  const connections = nodes.reduce((sum, node) => sum + (node.connections ?? 0), 0);
  const versions = new Set(nodes.flatMap(({ version }) => version ?? []));
  return (
    <Page>
      <SectionHeader meta={words.text} />
      <BusNotice nodes={nodes} className="mb-5" />
      {damagedAssets !== undefined && (
        <div className="mb-5">
          <DamagedAssets damaged={damagedAssets} />
        </div>
      )}
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-4">
        <StatisticCard
          label={words.devices}
          value={counts.devices}
          note={connectedDevices === undefined ? undefined : words.connected(formatCount(connectedDevices))}
          history={historyOf(({ connectedDevices: connected }) => connected)}
          nameDay={words.mostConnected}
          link={<Link to="/projects" />}
        />
        <StatisticCard
          label={words.projects}
          value={counts.projects}
          history={historyOf(({ projects }) => projects)}
          link={<Link to="/projects" />}
        />
        <StatisticCard
          label={words.users}
          value={counts.users}
          history={historyOf(({ users }) => users)}
          link={<Link to="/admin/users" />}
        />
        <StatisticCard
          label={words.nodes}
          value={nodes.length}
          note={words.nodesNote(connections, [...versions])}
          link={<Link to="/admin/cluster" />}
        />
      </div>
    </Page>
  );
}
