import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findOrInstallHaproxy, findOrInstallNatsServer } from '../../servers.ts';
import { repositoryRoot } from '../../source-files.ts';
import { findOrBuildVersitygw } from '../../versitygw.ts';
import { composeFile, readComposeFile, type ComposeFile } from '../compose.ts';
import { runTool } from '../run-tool.ts';
import { startContainer, type ContainerPlan, type Image } from './container.ts';
import { makeNetwork, type TrialNetwork } from './network.ts';
import { startProgram, type RunningProgram } from './programs.ts';

const gateway = '172.30.0.1';
const storePort = 7070;
const variables = {
  DATABASE_PASSWORD: 'gate-latch-and-rail',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  NATS_PASSWORD: 'shed-hinge-and-oil',
  PUBLIC_URL: 'https://hub.example',
  PROXY_DOMAIN: 'devices.example',
  S3_ENDPOINT: `http://${gateway}:${storePort}`,
  S3_BUCKET: 'corral',
  S3_ACCESS_KEY_ID: 'corral',
  S3_SECRET_ACCESS_KEY: 'barn-ferry-quilt',
};
const hubs = ['north', 'south', 'east'];
/** A third hub, what Compose chooses by itself, and the devices. */
const furtherAddresses: Readonly<Record<string, string>> = {
  east: '172.30.0.13',
  database: '172.30.0.31',
  nats: '172.30.0.32',
  devices: '172.30.0.33',
};

/** The services of the compose file on this machine: its hubs in containers of the image, the others from other programs of the same kind. */
export interface ClusterServices {
  readonly network: TrialNetwork;
  readonly hubs: readonly string[];
  /** The file of the certificate of the proxy, which signed itself. */
  readonly caFile: string;
  readonly proxyAddress: string;
  /** Starts a service: a hub, `database`, `nats`, `proxy` or `store`. */
  start(name: string): RunningProgram;
}

/** Prepares the services below an empty folder; a third hub is one more like the first. */
export function prepareServices(folder: string, image: Image): ClusterServices {
  const compose = readComposeFile(composeFile, variables);
  if (compose === undefined) throw new Error('The trial of a cluster needs Go 1.25 or newer.');
  const [{ subnet } = { subnet: '' }] = compose.networks.corral.ipam.config;
  const names = ['north', 'south', 'proxy', ...Object.keys(furtherAddresses)];
  const addresses = Object.fromEntries(names.map((name) => [name, addressIn(compose, name)]));
  const proxyAddress = addressIn(compose, 'proxy');
  const network = makeNetwork(folder, subnet, addresses, { 'hub.example': proxyAddress });
  const planOf = (name: string, env: ContainerPlan['env'] = {}): ContainerPlan => ({
    name: `corral-trial-${name}`,
    image,
    folder,
    env,
    data: folderOf(folder, name),
    network: network.namespaceOf(name),
    hostsFile: network.hostsFile,
  });
  const natsFile = join(folder, 'nats.conf');
  writeFileSync(natsFile, compose.configs['nats']?.content ?? '');
  const proxyFile = join(folder, 'haproxy.cfg');
  const caFile = writeProxyFiles(folder, proxyFile, addresses);
  const start = (name: string): RunningProgram => {
    if (hubs.includes(name)) {
      const { environment = {} } = compose.services[name] ?? compose.services['north'] ?? {};
      return startContainer(planOf(name, { ...environment, CORRAL_NODE_NAME: name }));
    }
    if (name === 'database') return startDatabase(planOf(name), subnet, compose);
    if (name === 'store') return startStore(folder);
    const [program, args] =
      name === 'nats'
        ? [findOrInstallNatsServer(), ['--config', natsFile]]
        : [findOrInstallHaproxy(), ['-db', '-f', proxyFile]];
    if (program === undefined) throw new Error(`The trial of a cluster needs ${name}.`);
    return startProgram(network.inside(name, program, ...args));
  };
  return { network, hubs, caFile, proxyAddress, start };
}

const addressIn = (compose: ComposeFile, name: string): string =>
  compose.services[name]?.networks['corral']?.ipv4_address ?? furtherAddresses[name] ?? '';

/** A folder for the volume of a container. */
function folderOf(folder: string, name: string): string {
  const data = join(folder, name);
  mkdirSync(data, { recursive: true });
  runTool('chown', ['12345:0', data], '/');
  return data;
}

/** Writes the certificates and the configuration of the documentation, with the hubs of this cluster. */
function writeProxyFiles(folder: string, file: string, addresses: Readonly<Record<string, string>>): string {
  const certs = join(folder, 'certs');
  mkdirSync(certs);
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const names = 'subjectAltName=DNS:hub.example,DNS:*.devices.example';
  const request =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=hub.example';
  runTool('openssl', [...request.split(' '), '-addext', names, '-keyout', key, '-out', certificate], folder);
  writeFileSync(
    join(certs, 'hub.example.pem'),
    readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'),
  );
  const documented = readFileSync(join(repositoryRoot, 'docs/operations/haproxy.cfg'), 'utf8');
  const servers = hubs.map((name) => `  server ${name} ${addresses[name]}:8080\n`).join('');
  const text = documented
    .replaceAll('/etc/haproxy/certs', certs)
    // This machine may not have as many descriptors as that takes.
    .replace('maxconn 100000', 'maxconn 2000')
    .replaceAll(/^(?: +server .+\n)+/gm, servers);
  writeFileSync(file, text);
  return certificate;
}

function startStore(folder: string): RunningProgram {
  const versitygw = findOrBuildVersitygw();
  if (versitygw === undefined) throw new Error('The trial of a cluster needs versitygw.');
  const buckets = join(folder, 'buckets');
  mkdirSync(join(buckets, variables.S3_BUCKET), { recursive: true });
  return startProgram([versitygw, ['--quiet', '--port', `${gateway}:${storePort}`, 'posix', buckets]], {
    ROOT_ACCESS_KEY: variables.S3_ACCESS_KEY_ID,
    ROOT_SECRET_KEY: variables.S3_SECRET_ACCESS_KEY,
  });
}

/** The PostgreSQL of the image, as a server of its own that listens in the network. */
function startDatabase(plan: ContainerPlan, subnet: string, compose: ComposeFile): RunningProgram {
  const { POSTGRES_USER = '', POSTGRES_PASSWORD = '' } = compose.services['database']?.environment ?? {};
  const home = `/usr/lib/corral-hub/node_modules/corral-postgres-linux-${process.arch}`;
  const bin = `${home}/native/bin`;
  // The hub makes these links where it installs the programs.
  const installed = join(plan.image.root, home);
  const links = readFileSync(join(installed, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[])
    if (!existsSync(join(installed, target))) symlinkSync(basename(source), join(installed, target));
  const script = `set -e
cluster=/var/lib/corral/cluster
if [ ! -e $cluster/PG_VERSION ]; then
  echo ${POSTGRES_PASSWORD} > /tmp/password
  ${bin}/initdb --pgdata $cluster --username ${POSTGRES_USER} --pwfile /tmp/password --auth scram-sha-256 --encoding UTF8 --locale C --locale-provider builtin --builtin-locale C.UTF-8
  echo 'host all all ${subnet} scram-sha-256' >> $cluster/pg_hba.conf
  echo 'create database ${POSTGRES_USER}' | ${bin}/postgres --single -D $cluster postgres
fi
exec ${bin}/postgres -D $cluster -c listen_addresses='*' -c unix_socket_directories=/tmp`;
  // initdb wants a user with a name.
  const user = { uid: 10_001, gid: 0 };
  runTool('chown', [`${user.uid}:${user.gid}`, plan.data ?? ''], '/');
  return startContainer({ ...plan, user, args: ['/bin/sh', '-c', script] });
}
