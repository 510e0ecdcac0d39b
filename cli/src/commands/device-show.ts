import type { Command } from 'commander';
import type { Output } from '@corral/contract';
import { findDevice } from '../hub/find-device.ts';
import { projectName } from '../hub/list-devices.ts';
import { formatDuration, formatTime } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import type { Style } from '../output/style.ts';
import { fieldList, type Cell } from '../output/table.ts';
import { withExample, type CommandContext } from './command-context.ts';

type Details = Output<'devices_GetDeviceDetails'>;

/** `corral devices show`. */
export function addShow(devices: Command, context: CommandContext): void {
  const command = devices
    .command('show')
    .description('Shows one device with its certificates and connections.')
    .argument('<device>', 'id, name or host name of the device')
    .action((device: string) => show(context, device));
  withExample(command, 'corral devices show "Press 4"');
}

async function show(context: CommandContext, given: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const details = await hub.invoke('devices_GetDeviceDetails', { deviceId: await findDevice(hub, given) });
  const project = out.isJson ? '' : await projectName(hub, details.projectId);
  out.result(details, () => fieldList(entriesOf(details, project, out.style), out.style));
}

function entriesOf(details: Details, project: string, style: Style): [string, Cell | Cell[]][] {
  const { name, deviceId, projectId, fingerprintId, metadata } = details;
  const facts = Object.entries(metadata).map(([key, value]) =>
    plainText(`${key} = ${JSON.stringify(value)}`),
  );
  return [
    [
      'Name',
      name === undefined
        ? { text: 'unnamed', paint: style.dim }
        : { text: plainText(name), paint: style.bold },
    ],
    ['Device', deviceId],
    ['Project', `${plainText(project)}, ${projectId}`],
    ['Fingerprint', fingerprintId],
    ['State', stateOf(details, style)],
    [
      'Certificates',
      orNone(
        details.certificates.map((certificate) => certificateText(certificate, style)),
        style,
      ),
    ],
    ['Metadata', orNone(facts, style)],
  ];
}

function stateOf({ isConnected, connections }: Details, style: Style): Cell | Cell[] {
  if (!isConnected) return { text: 'offline', paint: style.dim };
  return connections.map(({ connectedAt, connectedForSecs }) => ({
    text: `connected for ${formatDuration(connectedForSecs)}, since ${formatTime(connectedAt)}`,
    paint: style.green,
  }));
}

function certificateText(
  { status, fingerprint, firstSeen }: Details['certificates'][number],
  style: Style,
): Cell {
  const text = `${status}, first seen ${formatTime(firstSeen)}, ${fingerprint}`;
  return { text, paint: status === 'Pending' ? style.yellow : (plain) => plain };
}

const orNone = (cells: Cell[], { dim }: Style): Cell | Cell[] =>
  cells.length === 0 ? { text: 'none', paint: dim } : cells;
