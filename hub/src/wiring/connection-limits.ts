import { addressMatcher } from '../config/addresses.ts';
import type { Config } from '../config/config.ts';
import { connectionShares } from '../limits/amounts.ts';
import type { ConnectionLimits } from '../entry/http/limit-connections.ts';

type Settings = Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress' | 'trustedProxies'>;

/** The configured limits of connections, or limits below the number of file descriptors of the process. */
export function connectionLimits(settings: Settings, descriptors = descriptorLimit()): ConnectionLimits {
  const total =
    settings.maxConnections ??
    Math.min(connectionShares.most, Math.floor(descriptors * connectionShares.ofDescriptors));
  return {
    total,
    perAddress: settings.maxConnectionsPerAddress ?? Math.ceil(total * connectionShares.ofNetwork),
    isProxy: addressMatcher(settings.trustedProxies),
  };
}

/** The most connections of devices and command lines. */
export function linkLimit({ total }: ConnectionLimits): number {
  return Math.floor(total * connectionShares.ofLinks);
}

/** The soft limit of open descriptors of this process; Node raises it to the hard limit when it starts. */
export function descriptorLimit(): number {
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : connectionShares.most;
}
