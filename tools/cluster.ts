// `npm run cluster`: PostgreSQL, NATS, an S3 store, three hubs, nginx in front of them and simulated devices, all on this machine.
// `npm run cluster -- kill north`, from another terminal: see `usage`.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { balancer } from './cluster/balancer.ts';
import { sendCommand, takeCommands } from './cluster/control.ts';
import { newDeploymentToken } from './cluster/deployment-token.ts';
import { answers, listensOn, Programs, type Program } from './cluster/programs.ts';
import { freePorts } from './free-ports.ts';
import { findOrInstallNatsServer } from './servers.ts';
import { repositoryRoot } from './source-files.ts';
import { findOrBuildVersitygw } from './versitygw.ts';

const usage = `npm run cluster [-- --devices 20] [-- --port 8080]   runs until Ctrl C
npm run cluster -- status                            what runs
npm run cluster -- kill|stop|pause|resume|start NAME a hub (north, east, south), nats, store, nginx or devices
`;
const hubNames = ['north', 'east', 'south'];
// PostgreSQL's own user must be able to enter it.
const defaultFolder =
  process.getuid?.() === 0 ? '/var/lib/corral-cluster' : join(repositoryRoot, 'corral-cluster');
const folder = process.env['CORRAL_CLUSTER_DIR'] ?? defaultFolder;
const control = join(folder, 'control.sock');
const administrator = { email: 'admin@example.org', password: 'gate-latch-and-rail' };
const store = { accessKeyId: 'corral', secretAccessKey: 'shed-hinge-and-oil', bucket: 'assets' };
const signals = { kill: 'SIGKILL', stop: 'SIGTERM', pause: 'SIGSTOP', resume: 'SIGCONT' } as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    devices: { type: 'string', default: '20' },
    port: { type: 'string', default: '8080' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help === true) process.stdout.write(usage);
else if (positionals.length > 0)
  process.stdout.write(
    await sendCommand(control, positionals).catch(() => 'No cluster runs: start it with npm run cluster.\n'),
  );
else await run(Number(values.port), Number(values.devices));

async function run(port: number, devices: number): Promise<void> {
  mkdirSync(join(folder, 'buckets', store.bucket), { recursive: true });
  const programs = new Programs(folder);
  const { startPostgres } = await import('@corral/hub');
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const postgres = await startPostgres({ dataDir: folder, log: silent, maxConnections: 200 });
  try {
    const { host, user, password, database } = postgres.connection;
    const databaseUrl = `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}`;
    const [natsPort = 0, storePort = 0, ...hubPorts] = await freePorts(2 + hubNames.length);
    await programs.start(nats(natsPort));
    await programs.start(objectStore(storePort));
    const shared = sharedSettings(port, databaseUrl, natsPort, storePort);
    for (const [index, name] of hubNames.entries())
      await programs.start(hub(name, hubPorts[index] ?? 0, shared));
    await programs.start(balancer(folder, port, hubPorts));
    const url = `http://localhost:${port}`;
    if (devices > 0) await programs.start(await fleet(url, devices));
    const server = takeCommands(control, (words) => runCommand(programs, words));
    process.stdout.write(welcome(url, programs));
    await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
    server.close();
  } finally {
    await programs.stopAll();
    await postgres.stop();
  }
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

function objectStore(port: number): Program {
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

function sharedSettings(port: number, databaseUrl: string, natsPort: number, storePort: number) {
  return {
    CORRAL_DATABASE_URL: databaseUrl,
    CORRAL_SECRET_KEY: secretKey(),
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
    CORRAL_ADMIN_EMAIL: administrator.email,
    CORRAL_ADMIN_PASSWORD: administrator.password,
    CORRAL_LOG_FORMAT: 'json',
  };
}

/** The same at every start, since the database keeps secrets under it. */
function secretKey(): string {
  const file = join(folder, 'secret.key');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

function hub(name: string, port: number, shared: Readonly<Record<string, string>>): Program {
  const dataDir = join(folder, name);
  return {
    name,
    executable: process.execPath,
    args: ['--max-semi-space-size=8', join(repositoryRoot, 'hub/src/main.ts')],
    env: { ...shared, CORRAL_NODE_NAME: name, CORRAL_PORT: `${port}`, CORRAL_DATA_DIR: dataDir },
    ready: () => answers(`http://127.0.0.1:${port}/readyz`),
  };
}

async function fleet(url: string, devices: number): Promise<Program> {
  const file = join(folder, 'deployment-token');
  if (!existsSync(file)) writeFileSync(file, await newDeploymentToken(url, administrator), { mode: 0o600 });
  const token = readFileSync(file, 'utf8');
  const agent = join(repositoryRoot, 'agent/dist/corral-agent.mjs');
  const state = join(folder, 'devices');
  const args = [agent, 'simulate', '--devices', `${devices}`, '--hub-url', url, '--state', state];
  return {
    name: 'devices',
    executable: process.execPath,
    args,
    env: { CORRAL_AGENT_TOKEN: token },
    ready: async () => undefined,
  };
}

async function runCommand(programs: Programs, [verb = '', name = '']: readonly string[]): Promise<string> {
  if (verb === 'status') return statusOf(programs);
  if (!programs.names.includes(name)) return usage;
  if (verb === 'start') await programs.startAgain(name);
  else if (Object.hasOwn(signals, verb)) await programs.signal(name, signals[verb as keyof typeof signals]);
  else return usage;
  return statusOf(programs);
}

function statusOf(programs: Programs): string {
  return programs.names.map((name) => `${name.padEnd(10)}${programs.stateOf(name)}\n`).join('');
}

function welcome(url: string, programs: Programs): string {
  return `
  The cluster is ready: ${url}

    e-mail    ${administrator.email}
    password  ${administrator.password}

${statusOf(programs).replaceAll(/^/gm, '  ').trimEnd()}

  Logs are in ${folder}. From another terminal:
    npm run cluster -- kill north        also stop, pause, resume, start
`;
}
