import type { Output } from '@corral/contract';
import { terms } from '../../../copy/terms.ts';
import { countColumn, idColumn, nameColumn, timeColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { Duration } from '../../../ui/time/Duration.tsx';
import { clusterCopy as words } from './copy.ts';
import { Dash } from '../../../ui/text/Dash.tsx';

type Node = Output<'cluster_GetClusterDetails'>['nodes'][number];

/** The columns of the nodes, which were read at `readAt`, in milliseconds since the epoch. */
export function clusterColumns(readAt: number): DataColumn<Node>[] {
  return [
    idColumn({
      id: 'id',
      header: words.columns.id,
      of: ({ nodeId }) => nodeId,
      what: terms.ids.node,
      length: 20,
    }),
    nameColumn({ of: ({ name }) => name ?? words.unnamed }),
    {
      id: 'uptime',
      header: words.columns.uptime,
      value: ({ uptimeSecs }) => uptimeSecs,
      cell: ({ uptimeSecs }) => <Duration seconds={uptimeSecs} measuredAt={readAt} />,
    },
    countColumn({
      id: 'connections',
      header: words.columns.connections,
      of: ({ connections }) => connections,
    }),
    {
      id: 'version',
      header: words.columns.version,
      value: ({ version }) => version,
      cell: ({ version }) =>
        version === undefined ? <Dash /> : <span className="font-mono text-mono">{version}</span>,
    },
    timeColumn({
      id: 'lastHeard',
      header: words.columns.lastHeard,
      of: ({ lastHeartbeat }) => lastHeartbeat,
    }),
  ];
}
