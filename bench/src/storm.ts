import { deviceHeaders, prepareDevices } from './devices.ts';
import { sleep, startProgram, type Program } from './processes.ts';
import type { Testbed } from './testbed.ts';
import type { StormCommand } from './storm-process.ts';
import type { Line } from './table.ts';

const devices = 5_000;

/** How long 5,000 devices that connect at once take to be admitted, and how soon the hub detects that all were cut. */
export async function storm(testbed: Testbed): Promise<Line[]> {
  const fleet = await prepareDevices(testbed.user, devices);
  const hub = await testbed.restart();
  const command: StormCommand = {
    url: hub.url,
    headers: deviceHeaders(fleet),
    fingerprints: fleet.fingerprints,
  };
  const first = await connectAll(command);
  await waitUntilConnected(testbed, devices);
  const cutAt = performance.now();
  process.kill(first.program.pid, 'SIGKILL');
  await waitUntilConnected(testbed, 0);
  const cutSecs = (performance.now() - cutAt) / 1_000;
  const second = await connectAll(command);
  await waitUntilConnected(testbed, devices);
  await second.program.stop();
  await waitUntilConnected(testbed, 0);
  process.stderr.write(`refusals before all were connected: ${first.refusals}, then ${second.refusals}\n`);
  return [
    goalLine(`half of ${devices} devices, connecting at once, are connected`, second.p50Secs, 20),
    goalLine(`all of ${devices} devices, connecting at once, are connected`, second.allSecs, 60),
    goalLine(`the loss of ${devices} devices, cut at once, is detected`, cutSecs, 10),
  ];
}

interface ConnectedFleet {
  readonly program: Program;
  readonly p50Secs: number;
  readonly allSecs: number;
  readonly refusals: number;
}

async function connectAll(command: StormCommand): Promise<ConnectedFleet> {
  const program = startProgram('bench/src/storm-process.ts');
  program.writeLine(JSON.stringify(command));
  const result = await program.waitForLine(/connected (.*)/);
  return { program, ...(JSON.parse(result) as Omit<ConnectedFleet, 'program'>) };
}

/** Polls until the hub lists exactly this many connected devices. */
async function waitUntilConnected({ user }: Testbed, count: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const { devices: all } = await user.executor.invoke('projects_QueryProjectDevices', {
      projectId: user.projectId,
    });
    if (all.filter(({ isConnected }) => isConnected).length === count) return;
    await sleep(200);
  }
  throw new Error(`The hub does not list ${count} connected devices.`);
}

function goalLine(what: string, ours: number, atMostSecs: number): Line {
  const goal = `≤ ${atMostSecs} s`;
  const anchorName = 'the goal itself';
  return { what, unit: 's', ours, anchor: atMostSecs, anchorName, goal, isMet: ours <= atMostSecs };
}
