import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { seedDemo } from '../operator/demo/seed-demo.ts';
import { startFleet, type RunningFleet } from '../operator/demo/start-fleet.ts';
import type { ListeningAt } from '../entry/http/http-server.ts';
import type { Core } from './core.ts';

/** Creates the demo project and starts its fleet, whose devices connect to this hub like any others. */
export async function startDemo(
  config: Config,
  { executor, bus }: Core,
  at: ListeningAt,
): Promise<RunningFleet> {
  const hubUrl = `${config.tls === undefined ? 'http' : 'https'}://${loopbackName(at.host)}:${at.port}`;
  const hub = { url: hubUrl, certificate: config.tls?.cert };
  const tokens = await seedDemo(executor, bus, hub);
  return startFleet({
    hub,
    tokens,
    devices: config.demoDevices,
    searchPath: config.searchPath,
    stateDir: join(config.dataDir, 'demo'),
  });
}

/** The host name in URLs for the address that the hub listens on, as seen from this machine. */
function loopbackName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
