import type { BenchHub, BenchUser } from './bench-hub.ts';
import { prepareDevices, type BenchDevices } from './devices.ts';
import type { FleetOrder } from './fleet.ts';
import { pass, residentBytes, startProgram, type Program } from './processes.ts';
import { line, type Line } from './table.ts';

const warmUpLinks = 200;
const links = 2_000;
const settleMs = 6_000;

/** Creates the devices that will connect, on a hub that is restarted afterwards: its memory then holds nothing of other work. */
export function prepareIdleDevices(user: BenchUser): Promise<BenchDevices> {
  return prepareDevices(user, warmUpLinks + links);
}

/** What one idle connection of a device costs in the memory of a fresh hub, beside a bare WebSocket on a fresh server. */
export async function idleConnections(hub: BenchHub, devices: BenchDevices): Promise<Line[]> {
  const headers = {
    authorization: `Bearer ${devices.token}`,
    'x-deployment-token': devices.token,
    'x-register-connection': 'true',
    'x-client-cert': devices.certificateHeader,
  };
  const order = { url: hub.url, headers, isBare: false };
  const ours = await bytesPerLink(hub.program, order, devices.fingerprints);
  const bare = startProgram('bench/src/anchors/bare-web-sockets.ts');
  const port = await bare.said(/listening (\d+)/);
  const bareOrder = { url: `ws://127.0.0.1:${port}`, headers, isBare: true };
  const anchor = await bytesPerLink(bare, bareOrder, devices.fingerprints);
  await bare.stop();
  const what = `memory per idle device connection (${links})`;
  const figures = {
    unit: 'KiB',
    ours: ours / 1024,
    anchor: anchor / 1024,
    anchorName: 'bare ws connections, as many',
  };
  const relative = line({ what, ...figures }, { atMost: 3 });
  const isSmall = figures.ours <= 25;
  return [{ ...relative, goal: '≤ 3 × and ≤ 25 KiB', isMet: relative.isMet === true && isSmall }];
}

/** Connects a few links first, so that what is needed only once is not counted, then the many. */
async function bytesPerLink(
  server: Program,
  order: Omit<FleetOrder, 'fingerprints'>,
  fingerprints: readonly string[],
): Promise<number> {
  const fleet = startProgram('bench/src/fleet.ts');
  const connect = async (some: readonly string[]): Promise<number> => {
    fleet.tell(JSON.stringify({ ...order, fingerprints: some }));
    await fleet.said(/connected (\d+)/);
    await pass(settleMs);
    return residentBytes(server.pid);
  };
  const before = await connect(fingerprints.slice(0, warmUpLinks));
  const after = await connect(fingerprints.slice(warmUpLinks));
  await fleet.stop();
  return (after - before) / (fingerprints.length - warmUpLinks);
}
