import type { PeerNetwork } from '../cluster/peers/open-peers.ts';
import type { Vault } from '../auth/vault.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../log/log.ts';
import { instanceKey } from '../store/instance-keys.ts';
import type { HubDatabase } from './open-database.ts';

interface PeerNeeds {
  readonly config: Config;
  readonly log: Log;
  readonly database: HubDatabase;
  readonly now: () => Date;
  readonly vault: Vault;
}

/** Listens for the other nodes of a cluster; undefined for a hub that is the only node. */
export async function addPeers({
  config,
  log,
  database,
  now,
  vault,
}: PeerNeeds): Promise<PeerNetwork | undefined> {
  if (config.peers === undefined) return undefined;
  const authoritySeed = await instanceKey({ tx: database.db, now: now(), vault }, 'node certificates');
  // Only a node of a cluster loads the library that issues certificates.
  const { openPeerNetwork } = await import('../cluster/peers/open-peers.ts');
  return openPeerNetwork({ ...config.peers, authoritySeed, log });
}
