import type { PeerNetwork } from '../entry/peers/open-peers.ts';
import type { Vault } from '../platform/vault/vault.ts';
import type { Config } from '../config/config.ts';
import { peersWarning } from '../config/peers.ts';
import type { Metrics } from '../entry/http/metrics.ts';
import type { Log } from '../platform/log/log.ts';
import { instanceKey } from '../domains/instance/index.ts';
import { listenError } from './listen.ts';
import type { HubDatabase } from './open-database.ts';

interface PeerParts {
  readonly config: Config;
  readonly log: Log;
  readonly database: HubDatabase;
  readonly now: () => Date;
  readonly vault: Vault;
  readonly metrics: Metrics;
}

/** Listens for the other nodes of a cluster; resolves with undefined without a cluster. Rejects with an Error with one sentence for the operator. */
export async function addPeers({
  config,
  log,
  database,
  now,
  vault,
  metrics,
}: PeerParts): Promise<PeerNetwork | undefined> {
  const { peers } = config;
  if (peers === undefined) return undefined;
  const authoritySeed = await instanceKey({ tx: database.db, now: now(), vault }, 'node certificates');
  // Only a node of a cluster loads the library that issues certificates.
  const { openPeerNetwork } = await import('../entry/peers/open-peers.ts');
  const warning = peersWarning(config);
  if (warning !== undefined) log.warn(warning);
  try {
    const network = await openPeerNetwork({ ...peers, authoritySeed, log });
    metrics.addGauge('corral_peer_failures', network.failures);
    return network;
  } catch (error) {
    throw listenError(error, 'CORRAL_PEER', peers.host, peers.port);
  }
}
