import { join } from 'node:path';
import type { HubName } from '@corral/tools';
import { newDeviceToken, startBenchAgent, type BenchAgent } from '../bench-agent.ts';
import { processorSecs, startProgram } from '../processes.ts';
import { line, type Line } from '../table.ts';
import { measurePort, type TcpFigures } from '../tcp-load.ts';
import { onCluster, type ClusterTestbed } from './cluster-testbed.ts';

const seconds = 4;
/** Each way is measured this often, in turn, since the machine may be busier for a while. */
const rounds = 3;
const anchorName = 'the same, device on the hub that was asked';

interface Figures extends TcpFigures {
  /** What both hubs used of the processors. */
  readonly hubsSecs: number;
}

/** A forwarded port whose command line and device are on different hubs, beside one with both on the same hub. */
export function forwardAcrossHubs(): Promise<Line[]> {
  return onCluster(async (bed) => {
    const peer = startProgram('bench/src/anchors/tcp-peer.ts');
    const upstreamPort = Number(await peer.waitForLine(/listening (\d+)/));
    const token = await newDeviceToken(bed.user);
    const agent = await startBenchAgent(bed.hubUrls.north, token, join(bed.folder, 'agent'));
    try {
      const direct = await measurePort(upstreamPort, 1);
      const [local, across]: [Figures[], Figures[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        local.push(await measureVia(bed, 'north', agent, upstreamPort));
        across.push(await measureVia(bed, 'east', agent, upstreamPort));
      }
      return compare(across, local, direct);
    } finally {
      await agent.stop();
      await peer.stop();
    }
  });
}

/** Measures a forward of a command line that is connected to this hub. */
async function measureVia(
  bed: ClusterTestbed,
  hub: HubName,
  { deviceId }: BenchAgent,
  upstreamPort: number,
): Promise<Figures> {
  const { programs } = bed;
  const usedSecs = () =>
    (['north', 'east'] as const).reduce((sum, name) => sum + processorSecs(programs.pidOf(name) ?? 0), 0);
  const args = ['--json', 'forward', deviceId, `0:${upstreamPort}`];
  const env = { CORRAL_URL: bed.hubUrls[hub], CORRAL_TOKEN: bed.user.token };
  const cli = startProgram('cli/bin/corral.cjs', args, env);
  try {
    const port = Number(await cli.waitForLine(/"listening","localPort":(\d+)/));
    const beforeSecs = usedSecs();
    const figures = await measurePort(port, seconds);
    return { ...figures, hubsSecs: usedSecs() - beforeSecs };
  } finally {
    await cli.stop();
  }
}

function compare(across: Figures[], local: Figures[], direct: TcpFigures): Line[] {
  const against = (
    what: string,
    unit: string,
    of: (figures: Figures) => number,
    bar?: { atLeast?: number; atMost?: number },
  ): Line =>
    line(
      {
        what: `forward across hubs, ${what}`,
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
    against('processor time of the hubs for a GiB', 's', secsPerGib),
  ];
}

/** A download runs a second longer than it is measured. */
function secsPerGib({ hubsSecs, downMibps, upMibps }: Figures): number {
  return (hubsSecs * 1_024) / (downMibps * (seconds + 1) + upMibps * seconds);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
