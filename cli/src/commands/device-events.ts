import { readList } from '@corral/client';
import type { Command } from 'commander';
import { type DeviceEvent, eventTime } from '@corral/contract';
import { findDevice } from '../hub/find-device.ts';
import { formatTime } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import type { Style } from '../output/style.ts';
import { table, words, type Cell } from '../output/table.ts';
import { wholeNumber } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';

const maxEvents = 100_000;

/** `corral devices events`. */
export function addEvents(devices: Command, context: CommandContext): void {
  const command = devices
    .command('events')
    .description('Lists the events of a device, newest first.')
    .argument('<device>', 'id, name or host name of the device')
    .option(
      '--limit <count>',
      'how many at most, up to 100,000, read page by page',
      wholeNumber(1, maxEvents),
      100,
    )
    .action((device: string, { limit }: { limit: number }) => events(context, device, limit));
  withExample(command, 'corral devices events "Press 4" --limit 20');
}

async function events(context: CommandContext, device: string, limit: number): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const deviceId = await findDevice(hub, device);
  // One more than asked for, to know whether there are more.
  const read = await readList(hub, 'devices_QueryDeviceEvents', { deviceId, limit: limit + 1 });
  const answer = { ...read, events: read.events.slice(0, limit) };
  out.result(answer, () => {
    if (answer.events.length === 0) return 'The device has reported no events.';
    const rows = answer.events.map((event) => row(event, out.style));
    return table(['EMITTED', 'SEVERITY', words('CATEGORY'), words('EVENT')], rows, out);
  });
  if (read.events.length > limit)
    out.note(
      `These are the newest ${limit}; the device has reported more: --limit takes up to ${maxEvents}.`,
    );
}

function row(event: DeviceEvent, style: Style): Cell[] {
  const { severity, category, body, attributes } = event;
  const words = typeof body === 'string' ? body : JSON.stringify(body);
  const facts = Object.entries(attributes).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return [
    formatTime(eventTime(event)),
    { text: severity, paint: paintOf(severity, style) },
    plainText(category ?? ''),
    plainText(words + facts.join('')),
  ];
}

function paintOf(severity: DeviceEvent['severity'], style: Style): (text: string) => string {
  if (severity === 'Error' || severity === 'Critical') return style.red;
  if (severity === 'Warning') return style.yellow;
  return severity === 'Info' ? (text) => text : style.dim;
}
