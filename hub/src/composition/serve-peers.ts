import type { PeerNetwork } from '../cluster/peers/open-peers.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Proxy } from '../proxy/proxy.ts';

/** Opens the channels that other nodes request to the devices of this one. Streams for pages count with those that this node proxies itself. */
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
