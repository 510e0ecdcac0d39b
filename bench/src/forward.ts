import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tcpRelays } from './anchors/tcp-relays.ts';
import { sshForward, type OpenForward } from './anchors/ssh-forward.ts';
import { newDeviceToken, startBenchAgent } from './bench-agent.ts';
import type { BenchHub } from './bench-hub.ts';
import { startProgram } from './processes.ts';
import type { Testbed } from './testbed.ts';
import { barLine, line, type Line } from './table.ts';
import { measurePort, type TcpFigures } from './tcp-load.ts';

const seconds = 5;
const firstByteBarMs = 4;

/** Throughput and latency of a forwarded port through agent, hub and command line, beside three plain relays and `ssh -L`. */
export async function forward(testbed: Testbed): Promise<Line[]> {
  const peer = startProgram('bench/src/anchors/tcp-peer.ts');
  const upstreamPort = Number(await peer.waitForLine(/listening (\d+)/));
  const folder = await mkdtemp(join(tmpdir(), 'corral-bench-'));
  try {
    const token = await newDeviceToken(testbed.user);
    const options = { token, userToken: testbed.user.token, upstreamPort };
    const direct = await measurePort(upstreamPort, 1);
    const ssh = await measure(await sshForward(upstreamPort));
    const relays = await measure(await tcpRelays(upstreamPort));
    const plain = await measure(
      await corralForward({ ...options, hub: testbed.hub, stateDir: join(folder, 'plain') }),
    );
    const tls = await certificates(join(folder, 'tls'));
    const hub = await testbed.restart(tls.hub);
    const secure = await measure(
      await corralForward({ ...options, hub, stateDir: join(folder, 'secure'), trust: tls.client }),
    );
    await testbed.restart();
    return [
      ...compare('plain HTTP', plain, { relays, ssh, direct }),
      ...compare('TLS', secure, { relays, ssh, direct }),
    ];
  } finally {
    await peer.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(forward: OpenForward): Promise<TcpFigures> {
  try {
    return await measurePort(forward.port, seconds);
  } finally {
    await forward.stop();
  }
}

interface ForwardOptions {
  readonly hub: BenchHub;
  readonly token: string;
  readonly userToken: string;
  readonly upstreamPort: number;
  readonly stateDir: string;
  readonly trust?: Record<string, string>;
}

/** Starts an agent and `corral forward` through the hub. */
async function corralForward(options: ForwardOptions): Promise<OpenForward> {
  const { hub, token, userToken, upstreamPort, stateDir, trust = {} } = options;
  const agent = await startBenchAgent(hub.url, token, stateDir, trust);
  const cli = startProgram('cli/bin/corral.cjs', ['--json', 'forward', agent.deviceId, `0:${upstreamPort}`], {
    CORRAL_URL: hub.url,
    CORRAL_TOKEN: userToken,
    ...trust,
  });
  const port = Number(await cli.waitForLine(/"listening","localPort":(\d+)/));
  return {
    port,
    async stop() {
      await cli.stop();
      await agent.stop();
    },
  };
}

/** Settings of a hub that terminates TLS, and of its clients. */
async function certificates(folder: string) {
  await startProgram('tools/dev-certificate.ts', [folder]).waitForExit();
  return {
    hub: {
      CORRAL_TLS_CERT: join(folder, 'hub-certificate.pem'),
      CORRAL_TLS_KEY: join(folder, 'hub-key.pem'),
    },
    client: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
  };
}

/** What a forward is compared with: as many programs that only relay bytes, OpenSSH, and no program between. */
interface Anchors {
  readonly relays: TcpFigures;
  readonly ssh: TcpFigures;
  readonly direct: TcpFigures;
}

function compare(how: string, ours: TcpFigures, { relays, ssh, direct }: Anchors): Line[] {
  const throughput = (text: string, of: (figures: TcpFigures) => number): Line =>
    line({
      what: `forward over ${how}, ${text}`,
      unit: 'MiB/s',
      ours: of(ours),
      anchor: of(relays),
      anchorName: `3 plain relays in Node (ssh -L: ${of(ssh).toFixed(0)} MiB/s)`,
    });
  const added = (figures: TcpFigures): number => figures.roundTripMs - direct.roundTripMs;
  return [
    throughput('from the device', ({ downMibps }) => downMibps),
    throughput('to the device', ({ upMibps }) => upMibps),
    line({
      what: `forward over ${how}, latency added to a round trip`,
      unit: 'ms',
      ours: added(ours),
      anchor: added(ssh),
      anchorName: 'ssh -L',
    }),
    barLine({
      what: `forward over ${how}, new connection to first byte`,
      unit: 'ms',
      ours: ours.firstByteMs,
      anchor: ssh.firstByteMs,
      anchorName: 'ssh -L',
      bar: firstByteBarMs,
    }),
  ];
}
