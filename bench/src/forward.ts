import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tcpRelays } from './anchors/tcp-relays.ts';
import { sshForward, type OpenForward } from './anchors/ssh-forward.ts';
import { newDeviceToken, startBenchAgent } from './bench-agent.ts';
import type { BenchHub } from './bench-hub.ts';
import { startProgram } from './processes.ts';
import type { Testbed } from './testbed.ts';
import { line, type Line } from './table.ts';
import { measurePort, type TcpFigures } from './tcp-load.ts';

const seconds = 5;

/** Throughput and latency of a forwarded port through agent, hub and command line, compared with `ssh -L`. */
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
      ...compare('TLS', secure, ssh, direct),
      ...compare('plain HTTP', plain, ssh, direct),
      ...compareWithRelays(plain, relays, direct),
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

function compare(how: string, ours: TcpFigures, ssh: TcpFigures, direct: TcpFigures): Line[] {
  const what = (text: string) => `forward over ${how}, ${text}`;
  const against = (text: string, unit: string, of: (figures: TcpFigures) => number, bar?: object): Line =>
    line({ what: what(text), unit, ours: of(ours), anchor: of(ssh), anchorName: 'ssh -L' }, bar);
  return [
    against('from the device', 'MiB/s', ({ downMibps }) => downMibps, { atLeast: 1 }),
    against('to the device', 'MiB/s', ({ upMibps }) => upMibps, { atLeast: 1 }),
    against('latency added to a round trip', 'ms', ({ roundTripMs }) => roundTripMs - direct.roundTripMs, {
      atMost: 1.5,
    }),
    against('new connection to first byte', 'ms', ({ firstByteMs }) => firstByteMs),
  ];
}

/** The cost of Node itself: the same path through three programs that only relay bytes. */
function compareWithRelays(ours: TcpFigures, relays: TcpFigures, direct: TcpFigures): Line[] {
  const against = (text: string, unit: string, of: (figures: TcpFigures) => number): Line =>
    line({
      what: `forward over plain HTTP, ${text}`,
      unit,
      ours: of(ours),
      anchor: of(relays),
      anchorName: '3 plain relays in Node',
    });
  return [
    against('from the device', 'MiB/s', ({ downMibps }) => downMibps),
    against('latency added to a round trip', 'ms', ({ roundTripMs }) => roundTripMs - direct.roundTripMs),
  ];
}
