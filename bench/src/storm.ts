import { deviceHeaders, prepareDevices } from './devices.ts';
import { pass, startProgram, type Program } from './processes.ts';
import type { Site } from './site.ts';
import type { StormOrder } from './storm-fleet.ts';
import type { Line } from './table.ts';

const devices = 5_000;

/** How a fleet that knocks at once is let in, and how its end is noticed when it is cut at once; the registry is exact behind each. */
export async function storm(site: Site): Promise<Line[]> {
  const fleet = await prepareDevices(site.user, devices);
  const hub = await site.restart();
  const order: StormOrder = { url: hub.url, headers: deviceHeaders(fleet), fingerprints: fleet.fingerprints };
  const first = await knock(order);
  await untilConnected(site, devices);
  const cutAt = performance.now();
  process.kill(first.program.pid, 'SIGKILL');
  await untilConnected(site, 0);
  const cutSecs = (performance.now() - cutAt) / 1_000;
  const second = await knock(order);
  await untilConnected(site, devices);
  await second.program.stop();
  await untilConnected(site, 0);
  process.stderr.write(`refusals before all were in: ${first.refusals}, then ${second.refusals}\n`);
  return [
    bar(`half of ${devices} devices that knock at once are in`, second.p50Secs, 20),
    bar(`all of ${devices} devices that knock at once are in`, second.allSecs, 60),
    bar(`the end of ${devices} devices, cut at once, is known`, cutSecs, 10),
  ];
}

interface Knocked {
  readonly program: Program;
  readonly p50Secs: number;
  readonly allSecs: number;
  readonly refusals: number;
}

async function knock(order: StormOrder): Promise<Knocked> {
  const program = startProgram('bench/src/storm-fleet.ts');
  program.tell(JSON.stringify(order));
  const said = await program.said(/connected (.*)/);
  return { program, ...(JSON.parse(said) as Omit<Knocked, 'program'>) };
}

/** Counts what the registry says, one by one. */
async function untilConnected({ user }: Site, count: number): Promise<void> {
  for (let turn = 0; turn < 300; turn += 1) {
    const { devices: all } = await user.executor.invoke('projects_QueryProjectDevices', {
      projectId: user.projectId,
    });
    if (all.filter(({ isConnected }) => isConnected).length === count) return;
    await pass(200);
  }
  throw new Error(`The registry does not say that ${count} devices are connected.`);
}

function bar(what: string, ours: number, atMostSecs: number): Line {
  const goal = `≤ ${atMostSecs} s`;
  const anchorName = 'the bar itself';
  return { what, unit: 's', ours, anchor: atMostSecs, anchorName, goal, isMet: ours <= atMostSecs };
}
