import { join } from 'node:path';
import type { HubName } from '@corral/tools';
import { newDeviceToken, startBenchAgent, type BenchAgent } from '../bench-agent.ts';
import { processorSecs, startProgram } from '../processes.ts';
import { line, type Line } from '../table.ts';
import { measurePort, type TcpFigures } from '../tcp-load.ts';
import { onCluster, type ClusterTestbed } from './cluster-testbed.ts';
import { startTlsFront } from './tls-front.ts';

const seconds = 4;
/** Each way is measured this often, in turn, since the machine may be busier for a while. */
const rounds = 3;
const anchorName = 'the same, device on the hub that was asked';

/** The programs that a stream passes through; each works in one thread, apart from the system's. */
type Passed = 'hubOfDevice' | 'hubOfUser' | 'agent' | 'commandLine';

interface Figures extends TcpFigures {
  /** What each program used of the processors. */
  readonly usedSecs: Readonly<Record<Passed, number>>;
}

/** How the command line and the agent reach the hubs. */
interface Clients {
  readonly name: string;
  urlOf(hub: HubName): string;
  readonly env: Record<string, string>;
}

/**
 * A forwarded port whose command line and device are on different hubs, beside one with both on the same hub: with clients that reach the hubs
 * directly without TLS, where nodes are the only ones that encrypt, and through an nginx that terminates TLS.
 */
export function forwardAcrossHubs(): Promise<Line[]> {
  return onCluster(async (testbed) => {
    const plain: Clients = { name: 'plain HTTP', urlOf: (hub) => testbed.hubUrls[hub], env: {} };
    const lines = await measureClients(testbed, plain);
    const front = await startTlsFront(testbed, ['north', 'east']);
    try {
      const tls: Clients = { name: 'TLS', urlOf: front.urlOf, env: front.clientEnv };
      return [...lines, ...(await measureClients(testbed, tls))];
    } finally {
      await front.stop();
    }
  });
}

async function measureClients(testbed: ClusterTestbed, clients: Clients): Promise<Line[]> {
  const peer = startProgram('bench/src/anchors/tcp-peer.ts');
  const upstreamPort = Number(await peer.waitForLine(/listening (\d+)/));
  const token = await newDeviceToken(testbed.user);
  const stateDir = join(testbed.folder, `agent of ${clients.name}`);
  const agent = await startBenchAgent(clients.urlOf('north'), token, stateDir, clients.env);
  try {
    const direct = await measurePort(upstreamPort, 1);
    const [local, across]: [Figures[], Figures[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      local.push(await measureVia(testbed, clients, 'north', agent, upstreamPort));
      across.push(await measureVia(testbed, clients, 'east', agent, upstreamPort));
    }
    return compare(clients.name, across, local, direct);
  } finally {
    await agent.stop();
    await peer.stop();
  }
}

/** Measures a forward of a command line that is connected to this hub. */
async function measureVia(
  { programs, user }: ClusterTestbed,
  clients: Clients,
  hub: HubName,
  agent: BenchAgent,
  upstreamPort: number,
): Promise<Figures> {
  const args = ['--json', 'forward', agent.deviceId, `0:${upstreamPort}`];
  const env = { CORRAL_URL: clients.urlOf(hub), CORRAL_TOKEN: user.token, ...clients.env };
  const cli = startProgram('cli/bin/corral.cjs', args, env);
  try {
    const port = Number(await cli.waitForLine(/"listening","localPort":(\d+)/));
    const pids = {
      hubOfDevice: programs.pidOf('north') ?? 0,
      hubOfUser: programs.pidOf('east') ?? 0,
      agent: agent.pid,
      commandLine: cli.pid,
    };
    const before = eachOf(pids, processorSecs);
    const figures = await measurePort(port, seconds);
    return { ...figures, usedSecs: eachOf(pids, (pid, name) => processorSecs(pid) - before[name]) };
  } finally {
    await cli.stop();
  }
}

function eachOf(
  pids: Readonly<Record<Passed, number>>,
  secs: (pid: number, name: Passed) => number,
): Record<Passed, number> {
  const entries = Object.entries(pids).map(([name, pid]) => [name, secs(pid, name as Passed)]);
  return Object.fromEntries(entries) as Record<Passed, number>;
}

function compare(clients: string, across: Figures[], local: Figures[], direct: TcpFigures): Line[] {
  const against = (
    what: string,
    unit: string,
    of: (figures: Figures) => number,
    bar?: { atLeast?: number; atMost?: number },
  ): Line =>
    line(
      {
        what: `forward across hubs, clients over ${clients}, ${what}`,
        unit,
        ours: median(across.map(of)),
        anchor: median(local.map(of)),
        anchorName,
      },
      bar,
    );
  return [
    against('from the device', 'MiB/s', ({ downMibps }) => downMibps, { atLeast: 0.8 }),
    against('to the device', 'MiB/s', ({ upMibps }) => upMibps, { atLeast: 0.8 }),
    against('latency added to a round trip', 'ms', ({ roundTripMs }) => roundTripMs - direct.roundTripMs, {
      atMost: 2,
    }),
    against('new connection to first byte', 'ms', ({ firstByteMs }) => firstByteMs),
    against('processor time of the hubs for a GiB', 's', (figures) =>
      secsPerGib(figures, figures.usedSecs.hubOfDevice + figures.usedSecs.hubOfUser),
    ),
    // What limits a stream where programs do not share processors.
    against('processor time of the busiest program for a GiB', 's', (figures) =>
      secsPerGib(figures, Math.max(...Object.values(figures.usedSecs))),
    ),
  ];
}

/** A download runs a second longer than it is measured. */
function secsPerGib({ downMibps, upMibps }: Figures, usedSecs: number): number {
  return (usedSecs * 1_024) / (downMibps * (seconds + 1) + upMibps * seconds);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
