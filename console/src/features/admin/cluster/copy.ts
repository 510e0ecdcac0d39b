import { catalogue } from '../../../copy/catalogue.ts';
import { count } from '../../../copy/count.ts';

/** The texts of the list of cluster nodes. */
export const clusterCopy = catalogue('cluster', {
  summary: (nodes: number) => `${count(nodes, 'node serves', 'nodes serve')} this instance.`,
  filter: 'Filter nodes',
  csvName: 'nodes',
  columns: {
    id: 'Id',
    uptime: 'Uptime',
    connections: 'Connections',
    version: 'Version',
    lastHeard: 'Last Heard',
  },
  busTitle: 'NATS cannot be reached',
  busText: (nodes: readonly string[]) =>
    `Not connected: ${nodes.join(', ')}. Changes made on other nodes take effect there after a few seconds, and vice versa. Nothing is lost.`,
  unnamed: 'unnamed',
  emptyTitle: 'No nodes',
  emptyText: 'A node shows here once it has registered, which takes a few seconds.',
});
