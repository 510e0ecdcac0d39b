import { join } from 'node:path';
import { systemCaller } from '../calls/handler.ts';
import type { Config } from '../config/config.ts';
import { InventHistory } from '../domains/history/internal/InventHistory.ts';
import { seedDemo } from '../operator/demo/seed-demo.ts';
import { startFleet, type RunningFleet } from '../operator/demo/start-fleet.ts';
import type { ListeningAt } from '../entry/http/http-server.ts';
import type { Log } from '../platform/log/log.ts';
import type { Core } from './core.ts';

/** Creates the demo project and starts its fleet, whose devices connect to this hub like any others. */
export async function startDemo(
  config: Config,
  { executor, bus }: Core,
  at: ListeningAt,
  log: Pick<Log, 'info'>,
): Promise<RunningFleet> {
  const hubUrl = `${config.tls === undefined ? 'http' : 'https'}://${loopbackName(at.host)}:${at.port}`;
  const hub = { url: hubUrl, certificate: config.tls?.cert };
  const { projectId, tokens } = await seedDemo(executor, bus, hub);
  const { demoDevices: devices, nodeName } = config;
  const { isWritten } = await executor.run(systemCaller, InventHistory, { projectId, devices, nodeName });
  if (isWritten) log.info({}, 'wrote 30 days of invented history for the demo: they never happened');
  return startFleet({
    hub,
    tokens,
    devices,
    searchPath: config.searchPath,
    stateDir: join(config.dataDir, 'demo'),
  });
}

/** The host name in URLs for the address that the hub listens on, as seen from this machine. */
function loopbackName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
