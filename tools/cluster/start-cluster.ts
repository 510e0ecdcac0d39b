import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../free-ports.ts';
import { findOrInstallNatsServer } from '../servers.ts';
import { repositoryRoot } from '../source-files.ts';
import { findOrBuildVersitygw } from '../versitygw.ts';
import { balancer } from './balancer.ts';
import { answers, listensOn, Programs, type Program } from './programs.ts';

/** The hubs of a cluster. */
export const hubNames = ['north', 'east', 'south'] as const;
/** The name of a hub of the cluster. */
export type HubName = (typeof hubNames)[number];

/** A cluster on this machine: PostgreSQL, NATS, an S3 store, hubs and nginx in front of them. */
export interface Cluster {
  /** The URL of nginx, which distributes requests to the hubs. */
  readonly url: string;
  /** The URL of each hub itself. */
  readonly hubUrls: Readonly<Record<HubName, string>>;
  /** The programs other than PostgreSQL. */
  readonly programs: Programs;
  readonly databaseUrl: string;
  /** The process id of PostgreSQL, which is restarted when it exits; undefined meanwhile. */
  readonly databasePid: () => number | undefined;
  stop(): Promise<void>;
}

/** The PostgreSQL server of the cluster. */
interface Database {
  readonly connection: {
    readonly host: string;
    readonly user: string;
    readonly password: string;
    readonly database: string;
  };
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

interface ClusterOptions {
  /** The hub's function; a parameter, so that other users of this package do not load the hub. */
  readonly startPostgres: (options: {
    readonly dataDir: string;
    readonly log: typeof silent;
    readonly maxConnections: number;
  }) => Promise<Database>;
  /** The folder of all data; the user that PostgreSQL runs as needs access to it. */
  readonly folder: string;
  /** The port of nginx. */
  readonly port: number;
  readonly administrator: { readonly email: string; readonly password: string };
  /** Further settings of all hubs. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The URL by which a hub connects to the database, such as a relay's; the database's own by default. */
  readonly databaseUrlOf?: (hub: HubName, databaseUrl: string) => string | Promise<string>;
}

const store = { accessKeyId: 'corral', secretAccessKey: 'shed-hinge-and-oil', bucket: 'assets' };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Starts the programs in sequence. If one is not found or does not start, stops the others and rejects with a sentence. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, port, startPostgres } = options;
  mkdirSync(join(folder, 'buckets', store.bucket), { recursive: true });
  const programs = new Programs(folder);
  const postgres = await startPostgres({ dataDir: folder, log: silent, maxConnections: 200 });
  const stop = (): Promise<void> => programs.stopAll().finally(() => postgres.stop());
  const { host, user, password, database } = postgres.connection;
  const databaseUrl = `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}`;
  try {
    const hubPorts = await startPrograms(programs, options, databaseUrl);
    const urls = hubNames.map((name, index) => [name, `http://127.0.0.1:${hubPorts[index]}`]);
    return {
      url: `http://localhost:${port}`,
      hubUrls: Object.fromEntries(urls) as Record<HubName, string>,
      programs,
      databaseUrl,
      databasePid: () => postgres.pid,
      stop,
    };
  } catch (error) {
    // The first error is the useful one.
    await stop().catch(() => undefined);
    throw error;
  }
}

/** Resolves with the ports of the hubs. */
async function startPrograms(
  programs: Programs,
  { folder, port, administrator, settings, databaseUrlOf = (_hub, url) => url }: ClusterOptions,
  databaseUrl: string,
): Promise<number[]> {
  const [natsPort = 0, storePort = 0, ...hubPorts] = await freePorts(2 + hubNames.length);
  await programs.start(nats(natsPort));
  await programs.start(objectStore(folder, storePort));
  const shared = {
    ...addresses(port, databaseUrl, natsPort, storePort),
    CORRAL_SECRET_KEY: secretKey(folder),
    CORRAL_ADMIN_EMAIL: administrator.email,
    CORRAL_ADMIN_PASSWORD: administrator.password,
    ...settings,
  };
  for (const [index, name] of hubNames.entries()) {
    const own = { ...shared, CORRAL_DATABASE_URL: await databaseUrlOf(name, databaseUrl) };
    await programs.start(hub(name, folder, hubPorts[index] ?? 0, own));
  }
  await programs.start(balancer(folder, port, hubPorts));
  return hubPorts;
}

function nats(port: number): Program {
  const executable = findOrInstallNatsServer();
  if (executable === undefined)
    throw new Error('A cluster needs nats-server (Debian: apt-get install nats-server).');
  return {
    name: 'nats',
    executable,
    args: ['-a', '127.0.0.1', '-p', `${port}`],
    ready: () => listensOn(port),
  };
}

function objectStore(folder: string, port: number): Program {
  const executable = findOrBuildVersitygw();
  if (executable === undefined) throw new Error('A cluster needs versitygw, which Go 1.25 or newer builds.');
  return {
    name: 'store',
    executable,
    args: ['--quiet', '--port', `127.0.0.1:${port}`, 'posix', join(folder, 'buckets')],
    env: { ROOT_ACCESS_KEY: store.accessKeyId, ROOT_SECRET_KEY: store.secretAccessKey },
    ready: () => listensOn(port),
  };
}

function addresses(port: number, databaseUrl: string, natsPort: number, storePort: number) {
  return {
    CORRAL_DATABASE_URL: databaseUrl,
    CORRAL_NATS_URL: `nats://127.0.0.1:${natsPort}`,
    CORRAL_PUBLIC_URL: `http://localhost:${port}`,
    CORRAL_PROXY_DOMAIN: `proxy.localhost:${port}`,
    CORRAL_TRUSTED_PROXIES: '127.0.0.1',
    CORRAL_TRUSTED_PROXY_HEADER: 'true',
    CORRAL_DEVICE_CERTIFICATE_HEADER: 'on',
    CORRAL_S3_ENDPOINT: `http://127.0.0.1:${storePort}`,
    CORRAL_S3_BUCKET: store.bucket,
    CORRAL_S3_ACCESS_KEY_ID: store.accessKeyId,
    CORRAL_S3_SECRET_ACCESS_KEY: store.secretAccessKey,
    CORRAL_LOG_FORMAT: 'json',
  };
}

/** A key that is created once, because secrets in the database are encrypted with it. */
function secretKey(folder: string): string {
  const file = join(folder, 'secret.key');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

function hub(name: string, folder: string, port: number, shared: Readonly<Record<string, string>>): Program {
  const dataDir = join(folder, name);
  return {
    name,
    executable: process.execPath,
    args: ['--max-semi-space-size=8', join(repositoryRoot, 'hub/src/main.ts')],
    env: { ...shared, CORRAL_NODE_NAME: name, CORRAL_PORT: `${port}`, CORRAL_DATA_DIR: dataDir },
    ready: () => answers(`http://127.0.0.1:${port}/readyz`),
  };
}
