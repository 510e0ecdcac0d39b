import { addressMatcher } from '../config/addresses.ts';
import type { Config } from '../config/config.ts';
import type { ConnectionLimits } from '../http/limit-connections.ts';

type Settings = Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress' | 'trustedProxies'>;

/** The default maximum, which bounds the memory of a node. */
const defaultMaxConnections = 65_536;
/** The share of file descriptors for connections; the rest is for the database, files and object stores. */
const descriptorShare = 0.75;
/** The share of connections for devices and command lines; the rest is for browsers and health checks. */
const linkShare = 0.875;

/** The configured limits of connections, or limits below the number of file descriptors of the process. */
export function connectionLimits(settings: Settings, descriptors = descriptorLimit()): ConnectionLimits {
  const total =
    settings.maxConnections ?? Math.min(defaultMaxConnections, Math.floor(descriptors * descriptorShare));
  return {
    total,
    perAddress: settings.maxConnectionsPerAddress ?? Math.ceil(total / 2),
    isProxy: addressMatcher(settings.trustedProxies),
  };
}

/** The most connections of devices and command lines. */
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
