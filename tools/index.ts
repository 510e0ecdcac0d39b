export { buildConsoleWhenStale } from './build-console.ts';
export { startDatabaseRelay } from './cluster/database-relay.ts';
export type { Cut, DatabaseRelay } from './cluster/database-relay.ts';
export { hubNames, startCluster } from './cluster/start-cluster.ts';
export type { Cluster, HubName } from './cluster/start-cluster.ts';
export { findOrInstallChromium } from './chromium.ts';
export { freePort, freePorts } from './free-ports.ts';
export { newMemoryFolder } from './memory-folder.ts';
export {
  findOrInstallHaproxy,
  findOrInstallNatsServer,
  findOrInstallNginx,
  findOrInstallSshServer,
} from './servers.ts';
export { findOrInstallBusybox, findOrInstallDash } from './shells.ts';
export { nginxConfiguration } from './nginx-configuration.ts';
export { findOrBuildOtelCollector } from './otel-collector.ts';
export { findOrBuildVersitygw } from './versitygw.ts';
export { buildSite } from './site/build-site.ts';
export { serveFolder } from './site/serve-folder.ts';
