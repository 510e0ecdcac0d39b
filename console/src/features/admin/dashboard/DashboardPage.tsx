import { Link } from '@tanstack/react-router';
import { clusterQuery } from '../../../data/queries-account.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { dashboardCopy as words } from './copy.ts';
import { StatisticCard } from './StatisticCard.tsx';
import { statisticsQuery } from './statistics.ts';

/** The dashboard of the administration: what the instance has, each number a link. */
export function DashboardPage() {
  const { data: counts } = useLoadedQuery(statisticsQuery());
  const { nodes } = useLoadedQuery(clusterQuery()).data;
  return (
    <Page>
      <SectionHeader meta={words.text} />
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-4">
        <StatisticCard label={words.devices} value={counts.devices} link={<Link to="/projects" />} />
        <StatisticCard label={words.projects} value={counts.projects} link={<Link to="/projects" />} />
        <StatisticCard label={words.users} value={counts.users} link={<Link to="/admin/dashboard" />} />
        <StatisticCard label={words.nodes} value={nodes.length} link={<Link to="/admin/cluster" />} />
      </div>
    </Page>
  );
}
