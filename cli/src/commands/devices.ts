import type { Command } from 'commander';
import { listDevices, type ChosenDevices, type ListedDevice } from '../hub/list-devices.ts';
import { formatAge, formatCount } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import type { Style } from '../output/style.ts';
import { table, words, type Cell } from '../output/table.ts';
import { addCertificates } from './device-certificates.ts';
import { addEvents } from './device-events.ts';
import { addProperties } from './device-properties.ts';
import { addShow } from './device-show.ts';
import { withExample, type CommandContext } from './command-context.ts';

/** `corral devices …`. */
export function addDevices(program: Command, context: CommandContext): void {
  const devices = program.command('devices').description('Works with devices.');
  const list = devices
    .command('list')
    .description('Lists the devices that you can access.')
    .argument('[filter]', 'only those that a filter finds, as in the console')
    .option('--project <project>', 'only those of one project, by id or name')
    .action((filter: string | undefined, { project }: { project?: string }) =>
      listAll(context, {
        ...(filter === undefined ? {} : { filter }),
        ...(project === undefined ? {} : { project }),
      }),
    );
  withExample(
    list,
    'corral devices list --project Plant',
    "corral devices list 'connected label.ring:canary'",
  );
  addShow(devices, context);
  addProperties(devices, context);
  addEvents(devices, context);
  addCertificates(devices, context);
}

async function listAll(context: CommandContext, chosen: ChosenDevices): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const devices = await listDevices(hub, chosen);
  out.result({ devices }, () => {
    if (devices.length === 0)
      return chosen.filter === undefined ? 'There is no device yet.' : 'No device passes the filter.';
    const rows = devices.map((device) => row(device, hub.nowMs(), out.style));
    return table([words('NAME'), 'STATE', 'LAST CONNECTED', words('PROJECT'), 'DEVICE'], rows, out);
  });
}

function row(device: ListedDevice, nowMs: number, style: Style): Cell[] {
  const { name, hostname, lastConnectedAt, projectName, deviceId } = device;
  return [
    // As in the console, a device without a name is shown by its hostname.
    name === undefined ? { text: plainText(hostname ?? 'unnamed'), paint: style.dim } : plainText(name),
    stateOf(device, style),
    lastConnectedAt === undefined ? 'never' : formatAge(lastConnectedAt, nowMs),
    plainText(projectName),
    { text: deviceId, paint: style.dim },
  ];
}

function stateOf({ isConnected, pendingCertificatesCount }: ListedDevice, style: Style): Cell {
  const state = isConnected ? '● connected' : '○ offline';
  if (pendingCertificatesCount > 0)
    return {
      text: `${state}, ${formatCount(pendingCertificatesCount, 'certificate')} pending`,
      paint: style.yellow,
    };
  return { text: state, paint: isConnected ? style.green : style.dim };
}
