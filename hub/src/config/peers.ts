import { isIPv4 } from 'node:net';
import type { networkInterfaces } from 'node:os';
import type { Settings } from './keys.ts';
import { isLoopback } from './addresses.ts';
import type { Config } from './config.ts';
import { ConfigError } from './ConfigError.ts';

/** Where this node listens for the other nodes of its cluster, and where they reach it. */
export interface PeersConfig {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
}

type Interfaces = ReturnType<typeof networkInterfaces>;

const allInterfaces = new Set(['0.0.0.0', '::', '[::]']);

/**
 * Where a node of a cluster is reached; undefined for a hub without NATS or with a database of its own, which is the only node. Throws a
 * `ConfigError` where the nodes would not share a key, or where the machine has no address for others.
 */
export function peersOf(
  { natsUrl, databaseUrl, secretKey, peerHost, peerPort }: Settings,
  host: string,
  interfaces: () => Interfaces,
): PeersConfig | undefined {
  if (natsUrl === undefined || databaseUrl === undefined) return undefined;
  if (secretKey === undefined)
    throw new ConfigError(
      'CORRAL_SECRET_KEY is missing: the nodes of a cluster share it. Generate one with openssl rand -base64 32, or take that of the first node from the file secret.key in its data folder.',
    );
  return { host: peerHost ?? addressOf(host, interfaces()), port: peerPort ?? 0 };
}

/** What an operator should know about the address at which the others reach this node; undefined if nothing. */
export function peersWarning({
  peers,
  databaseUrl,
}: Pick<Config, 'peers' | 'databaseUrl'>): string | undefined {
  if (peers === undefined || databaseUrl === undefined || !isLoopback(peers.host)) return undefined;
  const { hostname, searchParams } = new URL(databaseUrl);
  if (searchParams.has('host') || hostname === '' || isLoopback(hostname)) return undefined;
  return `CORRAL_PEER_HOST: hubs on other machines cannot reach this one at ${peers.host}, and devices that are connected here are not reached through them; set it to an address of this machine`;
}

function addressOf(host: string, interfaces: Interfaces): string {
  if (!allInterfaces.has(host)) return host.replace(/^\[|\]$/g, '');
  const external = Object.values(interfaces).flatMap((addresses) =>
    (addresses ?? []).filter(({ internal }) => !internal).map(({ address }) => address),
  );
  const found = external.find((address) => isIPv4(address)) ?? external[0];
  if (found === undefined)
    throw new ConfigError(
      'CORRAL_PEER_HOST is missing: this machine has no address at which the other nodes reach it.',
    );
  return found;
}
