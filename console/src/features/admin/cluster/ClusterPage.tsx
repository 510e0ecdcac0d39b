import { useMemo } from 'react';
import { clusterQuery } from '../../../data/queries-account.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { ResourceListPage } from '../../../parts/ResourceListPage.tsx';
import { queryRows } from '../../../parts/row-source.ts';
import { BusNotice } from './BusNotice.tsx';
import { clusterColumns } from './cluster-columns.tsx';
import { clusterCopy as words } from './copy.ts';
import { inHubTime } from '../../../data/hub-clock.ts';

/** The nodes of the cluster. Their uptime goes on from when it was read. */
export function ClusterPage() {
  const { data, dataUpdatedAt } = useLoadedQuery(clusterQuery());
  return (
    <ResourceListPage
      meta={(count) => count > 0 && words.summary(count)}
      intro={<BusNotice nodes={data.nodes} className="mb-4" />}
      source={queryRows(clusterQuery(), ({ nodes }) => nodes)}
      columns={useMemo(() => clusterColumns(inHubTime(dataUpdatedAt)), [dataUpdatedAt])}
      rowKey={({ nodeId }) => nodeId}
      rowName={({ name, nodeId }) => name ?? nodeId}
      filterLabel={words.filter}
      csvName={words.csvName}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    />
  );
}
