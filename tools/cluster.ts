// `npm run cluster`: PostgreSQL, NATS, an S3 store, three hubs, nginx in front of them and simulated devices, all on this machine.
// `npm run cluster -- kill north`, from another terminal: see `usage`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sendCommand, serveCommands } from './cluster/control.ts';
import { startDatabaseRelay, type DatabaseRelay } from './cluster/database-relay.ts';
import { newDeploymentToken } from './cluster/deployment-token.ts';
import type { Program, Programs } from './cluster/programs.ts';
import { startCluster } from './cluster/start-cluster.ts';
import { repositoryRoot } from './source-files.ts';

const usage = `npm run cluster [-- --devices 20] [-- --port 8080]   runs until Ctrl C
npm run cluster -- status                            what runs
npm run cluster -- kill|stop|pause|resume|start NAME a hub (north, east, south), nats, store, nginx or devices
npm run cluster -- cut|heal NAME                     a hub from the database, and back
`;
// The user that PostgreSQL runs as needs access to it.
const defaultFolder =
  process.getuid?.() === 0 ? '/var/lib/corral-cluster' : join(repositoryRoot, 'corral-cluster');
const folder = process.env['CORRAL_CLUSTER_DIR'] ?? defaultFolder;
const control = join(folder, 'control.sock');
const administrator = { email: 'admin@example.org', password: 'gate-latch-and-rail' };
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

/** A cluster that runs, with the ways of its hubs to the database, of which some are cut. */
interface Running {
  readonly programs: Programs;
  readonly relays: ReadonlyMap<string, DatabaseRelay>;
  readonly cut: Set<string>;
}

async function run(port: number, devices: number): Promise<void> {
  // Loaded only here, because commands to a running cluster do not need the hub.
  const { startPostgres } = await import('@corral/hub');
  const relays = new Map<string, DatabaseRelay>();
  const { url, programs, stop } = await startCluster({
    folder,
    port,
    administrator,
    startPostgres,
    async databaseUrlOf(hub, databaseUrl) {
      const relay = await startDatabaseRelay(databaseUrl);
      relays.set(hub, relay);
      return relay.url;
    },
  });
  const running: Running = { programs, relays, cut: new Set() };
  try {
    if (devices > 0) await programs.start(await fleet(url, devices));
    const server = serveCommands(control, (words) => runCommand(running, words));
    process.stdout.write(welcome(url, running));
    await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
    server.close();
  } finally {
    await stop();
    for (const relay of relays.values()) await relay.close();
  }
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

async function runCommand(running: Running, [verb = '', name = '']: readonly string[]): Promise<string> {
  const { programs, relays } = running;
  if (verb === 'status') return statusOf(running);
  if (!programs.names.includes(name)) return usage;
  const relay = relays.get(name);
  if (verb === 'cut' && relay !== undefined) {
    relay.cut('lost');
    running.cut.add(name);
  } else if (verb === 'heal' && relay !== undefined) {
    relay.heal();
    running.cut.delete(name);
  } else if (verb === 'start') await programs.restart(name);
  else if (Object.hasOwn(signals, verb)) await programs.signal(name, signals[verb as keyof typeof signals]);
  else return usage;
  return statusOf(running);
}

function statusOf({ programs, cut }: Running): string {
  const stateOf = (name: string): string =>
    programs.stateOf(name) + (cut.has(name) ? ', cut off from the database' : '');
  return programs.names.map((name) => `${name.padEnd(10)}${stateOf(name)}\n`).join('');
}

function welcome(url: string, running: Running): string {
  return `
  The cluster is ready: ${url}

    e-mail    ${administrator.email}
    password  ${administrator.password}

${statusOf(running).replaceAll(/^/gm, '  ').trimEnd()}

  Logs are in ${folder}. From another terminal:
    npm run cluster -- kill north        also stop, pause, resume, start, cut, heal
`;
}
