import { addressMatcher } from '../config/addresses.ts';
import type { Config } from '../config/config.ts';
import type { ConnectionLimits } from '../http/limit-connections.ts';

type Settings = Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress' | 'trustedProxies'>;

/** More would need more memory than one node has. */
const defaultMaxConnections = 65_536;
/** The share of the file descriptors for connections; database, files and object stores get the rest. */
const descriptorShare = 0.75;
/** Devices and command lines get this share of the connections, so that there is room for people and health checks. */
const linkShare = 0.875;

/** The limits of connections: as configured, or below the number of descriptors that the system allows. */
export function connectionLimits(settings: Settings, descriptors = descriptorLimit()): ConnectionLimits {
  const total =
    settings.maxConnections ?? Math.min(defaultMaxConnections, Math.floor(descriptors * descriptorShare));
  return {
    total,
    perAddress: settings.maxConnectionsPerAddress ?? Math.ceil(total / 2),
    isProxy: addressMatcher(settings.trustedProxies),
  };
}

/** How many of the connections devices and command lines may have. */
export function linkLimit({ total }: ConnectionLimits): number {
  return Math.floor(total * linkShare);
}

/** The soft limit of open descriptors of this process; Node raises it to the hard limit when it starts. */
export function descriptorLimit(): number {
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : defaultMaxConnections;
}
