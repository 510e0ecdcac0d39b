import { deviceCommand, ids, type DeviceCommand, type Json } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { readProperty } from '../../store/device-properties.ts';
import { commandsProperty } from '../../store/known-properties.ts';
import { listOrder, sortKey, type Slice } from '../../store/paging/list-order.ts';
import { readPage } from '../../store/paging/read-page.ts';

interface Row {
  readonly index: number;
  readonly command: DeviceCommand;
}

const inOrder = listOrder<Row>('devices_QueryCommands', 'asc', [sortKey('index', 'bigint')]);

/** Lists the commands that a device offers; entries that do not have the shape of a command are left out. */
export const QueryCommands: Handler<'devices_QueryCommands'> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input }) {
    const property = await readProperty(tx, ids.device.raw(input.deviceId), commandsProperty);
    const rows = listOf(property?.value)
      .flatMap(commandOf)
      .map((command, index) => ({ index, command }));
    const { items, more } = await readPage(inOrder, input, {
      // The device replaces the whole document, so a position is only valid for one version of it.
      scope: `${input.deviceId} ${property?.version}`,
      read: async ({ position, limit }) => from(rows, position).slice(0, limit),
      toItem: ({ command }) => command,
    });
    return { manifest: { commands: items }, ...more };
  },
};

function from(rows: readonly Row[], position: Slice['position']): readonly Row[] {
  return position === undefined ? rows : rows.slice(Number(position[0]) + 1);
}

function listOf(value: Json | undefined): readonly Json[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Array.isArray(value['commands']) ? value['commands'] : [];
}

/** Strict decoders accept `null` only in optional fields. */
function commandOf(item: Json): DeviceCommand[] {
  const { success, data } = deviceCommand.safeParse(withoutNulls(item));
  return success ? [data] : [];
}

function withoutNulls(item: Json): Json {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}
