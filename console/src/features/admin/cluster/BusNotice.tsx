import type { Output } from '@corral/contract';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { clusterCopy as words } from './copy.ts';

/** Names the nodes that cannot reach NATS, with `className` around it; nothing where all can. */
export function BusNotice({
  nodes,
  className,
}: {
  nodes: Output<'cluster_GetClusterDetails'>['nodes'];
  className: string;
}) {
  const apart = nodes.filter(({ isBusConnected }) => isBusConnected === false);
  if (apart.length === 0) return null;
  return (
    <div className={className}>
      <Notice tone="warn" title={words.busTitle}>
        {words.busText(apart.map(({ name }) => name ?? words.unnamed))}
      </Notice>
    </div>
  );
}
