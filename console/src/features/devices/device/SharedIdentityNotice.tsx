import { Notice } from '../../../ui/layout/Notice.tsx';
import { useNow } from '../../../ui/time/use-now.ts';
import { deviceCopy } from './copy.ts';
import type { DeviceDetails } from './device-details.ts';

type Connections = DeviceDetails['connections'];

const words = deviceCopy.sharedIdentity;
/** Until then the hub has noticed that a connection was lost, and the second one is that of the same device. */
const lostAfterMs = 30_000;

/** Warns of a device with several connections at once: two machines have its identity. */
export function SharedIdentityNotice({ connections = [] }: { connections: Connections | undefined }) {
  return connections.length < 2 ? null : <Lasting connections={connections} />;
}

function Lasting({ connections }: { connections: Connections }) {
  const newestAtMs = Math.max(...connections.map(({ connectedAt }) => Date.parse(connectedAt)));
  if (useNow('second') - newestAtMs < lostAfterMs) return null;
  const addresses = [...new Set(connections.map(({ address }) => address ?? words.unknown))];
  return (
    <Notice tone="warn" title={words.title(connections.length, addresses)}>
      {words.text}
    </Notice>
  );
}
