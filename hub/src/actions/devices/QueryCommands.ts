import { deviceCommand, ids, parseExactJson, type DeviceCommand, type Json } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { readOfferedCommands, type OfferedCommandRow } from '../../store/offered-commands.ts';
import { foreignCursor } from '../../store/paging/cursor.ts';
import { listOrder, sortKey } from '../../store/paging/list-order.ts';
import { readPage } from '../../store/paging/read-page.ts';

const inOrder = listOrder<OfferedCommandRow>('devices_QueryCommands', 'asc', [
  sortKey('version', 'bigint'),
  sortKey('index', 'bigint'),
]);

/** Lists the commands that a device offers; entries that do not have the shape of a command are left out. */
export const QueryCommands: Handler<'devices_QueryCommands'> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input }) {
    const deviceId = ids.device.raw(input.deviceId);
    const { items, more } = await readPage(inOrder, input, {
      scope: deviceId,
      async read(slice) {
        const found = await readOfferedCommands(tx, deviceId, slice);
        const [version] = slice.position ?? [];
        // The device replaces the whole document, so a position is only valid for one version of it.
        if (version !== undefined && found.rows.some((row) => row.version !== version)) throw foreignCursor();
        return found;
      },
      toItem: ({ command }) => commandOf(parseExactJson(command) as Json),
    });
    return { manifest: { commands: items }, ...more };
  },
};

/** Strict decoders accept `null` only in optional fields. */
function commandOf(item: Json): DeviceCommand {
  const fields = Object.entries(item as Readonly<Record<string, Json>>);
  return deviceCommand.parse(Object.fromEntries(fields.filter(([, value]) => value !== null)));
}
