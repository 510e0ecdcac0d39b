import type { PeerNetwork } from '../entry/peers/open-peers.ts';
import type { Gateway } from '../entry/gateway/gateway.ts';
import type { Proxy } from '../entry/proxy/proxy.ts';

/** Opens channels to the devices of this node for other nodes. Streams for pages count towards the same limits as those of this node's own proxy. */
export function servePeers(
  network: Pick<PeerNetwork, 'serve'> | undefined,
  { openChannelHere }: Pick<Gateway, 'openChannelHere'>,
  proxy: Pick<Proxy, 'openForPeer'>,
): void {
  network?.serve((deviceId, endpoint, { isForPages, ...options }) => {
    const open = () => openChannelHere(deviceId, endpoint, options);
    return isForPages === true ? proxy.openForPeer(deviceId, open, options.signal) : open();
  });
}
