import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareRelays } from './anchors/bare-relays.ts';
import { sshForward, type OpenForward } from './anchors/ssh-forward.ts';
import { newDeviceToken, startBenchAgent } from './bench-agent.ts';
import type { BenchHub } from './bench-hub.ts';
import { startProgram } from './processes.ts';
import type { Site } from './site.ts';
import { line, type Line } from './table.ts';
import { measurePort, type TcpFigures } from './tcp-load.ts';

const seconds = 5;

/** How fast a forwarded port is, through the agent, the hub and the command line as people run them, beside `ssh -L`. */
export async function forward(site: Site): Promise<Line[]> {
  const peer = startProgram('bench/src/anchors/tcp-peer.ts');
  const upstreamPort = Number(await peer.said(/listening (\d+)/));
  const folder = await mkdtemp(join(tmpdir(), 'corral-bench-'));
  try {
    const token = await newDeviceToken(site.user);
    const way = { token, userToken: site.user.token, upstreamPort };
    const direct = await measurePort(upstreamPort, 1);
    const ssh = await measured(await sshForward(upstreamPort));
    const bare = await measured(await bareRelays(upstreamPort));
    const plain = await measured(
      await corralForward({ ...way, hub: site.hub, stateDir: join(folder, 'plain') }),
    );
    const tls = await certificates(join(folder, 'tls'));
    const hub = await site.restart(tls.hub);
    const secure = await measured(
      await corralForward({ ...way, hub, stateDir: join(folder, 'secure'), trust: tls.client }),
    );
    await site.restart();
    return [
      ...compare('TLS', secure, ssh, direct),
      ...compare('plain HTTP', plain, ssh, direct),
      ...besideBareRelays(plain, bare, direct),
    ];
  } finally {
    await peer.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measured(way: OpenForward): Promise<TcpFigures> {
  try {
    return await measurePort(way.port, seconds);
  } finally {
    await way.stop();
  }
}

interface Way {
  readonly hub: BenchHub;
  readonly token: string;
  readonly userToken: string;
  readonly upstreamPort: number;
  readonly stateDir: string;
  readonly trust?: Record<string, string>;
}

/** The agent's program and `corral forward`, with the hub between. */
async function corralForward(way: Way): Promise<OpenForward> {
  const { hub, token, userToken, upstreamPort, stateDir, trust = {} } = way;
  const agent = await startBenchAgent(hub.url, token, stateDir, trust);
  const cli = startProgram('cli/bin/corral.cjs', ['--json', 'forward', agent.deviceId, `0:${upstreamPort}`], {
    CORRAL_URL: hub.url,
    CORRAL_TOKEN: userToken,
    ...trust,
  });
  const port = Number(await cli.said(/"listening","localPort":(\d+)/));
  return {
    port,
    async stop() {
      await cli.stop();
      await agent.stop();
    },
  };
}

/** What a hub that speaks TLS is told, and those who connect to it. */
async function certificates(folder: string) {
  await startProgram('tools/dev-certificate.ts', [folder]).ended();
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

/** What of it is the language's: nothing in Node passes three programs faster than this. */
function besideBareRelays(ours: TcpFigures, bare: TcpFigures, direct: TcpFigures): Line[] {
  const against = (text: string, unit: string, of: (figures: TcpFigures) => number): Line =>
    line({
      what: `forward over plain HTTP, ${text}`,
      unit,
      ours: of(ours),
      anchor: of(bare),
      anchorName: '3 bare relays in Node',
    });
  return [
    against('from the device', 'MiB/s', ({ downMibps }) => downMibps),
    against('latency added to a round trip', 'ms', ({ roundTripMs }) => roundTripMs - direct.roundTripMs),
  ];
}
