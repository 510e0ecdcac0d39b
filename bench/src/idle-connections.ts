import type { BenchHub, BenchUser } from './bench-hub.ts';
import { prepareDevices, type BenchDevices } from './devices.ts';
import type { FleetCommand } from './fleet-process.ts';
import { sleep, residentBytes, startProgram, type Program } from './processes.ts';
import { barLine, type Line } from './table.ts';

const warmUpLinks = 200;
const links = 2_000;
const settleMs = 6_000;

/** Creates the devices. The hub is restarted afterwards, so that its memory contains nothing from creating them. */
export function prepareIdleDevices(user: BenchUser): Promise<BenchDevices> {
  return prepareDevices(user, warmUpLinks + links);
}

/** Memory per idle device connection of a fresh hub, compared with a plain WebSocket of a fresh server. */
export async function idleConnections(hub: BenchHub, devices: BenchDevices): Promise<Line[]> {
  const headers = {
    authorization: `Bearer ${devices.token}`,
    'x-deployment-token': devices.token,
    'x-register-connection': 'true',
    'x-client-cert': devices.certificateHeader,
  };
  const command = { url: hub.url, headers, isPlainWebSocket: false };
  const ours = await bytesPerLink(hub.program, command, devices.fingerprints);
  const server = startProgram('bench/src/anchors/web-socket-server.ts');
  const port = await server.waitForLine(/listening (\d+)/);
  const anchorCommand = { url: `ws://127.0.0.1:${port}`, headers, isPlainWebSocket: true };
  const anchor = await bytesPerLink(server, anchorCommand, devices.fingerprints);
  await server.stop();
  const what = `memory per idle device connection (${links})`;
  const figures = {
    unit: 'KiB',
    ours: ours / 1024,
    anchor: anchor / 1024,
    anchorName: 'as many plain ws connections',
  };
  return [barLine({ what, ...figures, bar: 12 })];
}

/** Opens a few connections first, so that one-time costs are not counted. */
async function bytesPerLink(
  server: Program,
  command: Omit<FleetCommand, 'fingerprints'>,
  fingerprints: readonly string[],
): Promise<number> {
  const fleet = startProgram('bench/src/fleet-process.ts');
  const connect = async (some: readonly string[]): Promise<number> => {
    fleet.writeLine(JSON.stringify({ ...command, fingerprints: some }));
    await fleet.waitForLine(/connected (\d+)/);
    await sleep(settleMs);
    return residentBytes(server.pid);
  };
  const before = await connect(fingerprints.slice(0, warmUpLinks));
  const after = await connect(fingerprints.slice(warmUpLinks));
  await fleet.stop();
  return (after - before) / (fingerprints.length - warmUpLinks);
}
