import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@corral/hub';
import { freePort, hubNames, startCluster, type Cluster, type HubName } from '@corral/tools';
import { administrator, prepareUser, userAt, type BenchUser } from '../bench-hub.ts';

/** Three hubs, NATS, an S3 store, PostgreSQL and nginx, for one part of the section. */
export interface ClusterTestbed extends Cluster {
  /** An administrator who calls through nginx. */
  readonly user: BenchUser;
  /** The same, who calls one hub. */
  userOf(hub: HubName): BenchUser;
  /** For files of agents and the like. */
  readonly folder: string;
}

/** Runs a measurement on a fresh cluster. */
export async function onCluster<T>(
  measure: (bed: ClusterTestbed) => Promise<T>,
  special: Pick<Parameters<typeof startCluster>[0], 'databaseUrlOf'> = {},
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-bench-'));
  const settings = {
    // The whole fleet connects from this machine.
    CORRAL_MAX_CONNECTIONS: '9000',
    CORRAL_MAX_CONNECTIONS_PER_ADDRESS: '9000',
    CORRAL_LOG_LEVEL: 'warn',
  };
  try {
    const cluster = await startCluster({
      folder,
      port: await freePort(),
      administrator,
      settings,
      startPostgres,
      ...special,
    });
    const measured = await measureOn(cluster, folder, measure).catch(async (error: unknown) => {
      // Why it failed says more than why the cluster did not stop.
      await cluster.stop().catch(() => undefined);
      throw error;
    });
    await cluster.stop();
    return measured;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureOn<T>(
  cluster: Cluster,
  folder: string,
  measure: (bed: ClusterTestbed) => Promise<T>,
): Promise<T> {
  const user = await prepareUser(cluster.url);
  const users = Object.fromEntries(hubNames.map((hub) => [hub, userAt(user, cluster.hubUrls[hub])]));
  const userOf = (hub: HubName) => users[hub] as BenchUser;
  return measure({ ...cluster, folder, user, userOf });
}
