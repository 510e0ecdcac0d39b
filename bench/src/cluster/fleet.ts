import { deviceHeaders, prepareDevices } from '../devices.ts';
import type { FleetCommand } from '../fleet-process.ts';
import { startProgram, type Program } from '../processes.ts';
import type { ClusterTestbed } from './cluster-testbed.ts';

/** Devices that connect through nginx and come back as agents do. Resolves once all are connected. */
export async function startFleet(bed: ClusterTestbed, devices: number): Promise<Program> {
  const fleet = await prepareDevices(bed.user, devices);
  const program = startProgram('bench/src/fleet-process.ts');
  const command: FleetCommand = {
    url: bed.url,
    headers: deviceHeaders(fleet),
    fingerprints: fleet.fingerprints,
    isPlainWebSocket: false,
  };
  program.writeLine(JSON.stringify(command));
  await program.waitForLine(/connected (\d+)/);
  return program;
}
