import { deviceCommand, ids, parseExactJson, type DeviceCommand, type Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { foreignCursor } from '../../../platform/db/paging/cursor.ts';
import { listOrder, sortKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { readPage, type CutRows } from '../../../platform/db/paging/read-page.ts';
import { readWithinBytes } from '../../../platform/db/paging/read-within-bytes.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { commandsProperty } from '../sql/known-properties.ts';

const inOrder = listOrder<OfferedCommandRow>('devices_QueryCommands', 'asc', [
  sortKey('version', 'bigint'),
  sortKey('index', 'bigint'),
]);

/** Lists the commands that a device offers; entries that do not have the shape of a command are left out. */
export const QueryCommands: Handler<'devices_QueryCommands'> = {
  authorize: ({ tx, actor, input }) => mustHaveDeviceAccess(tx, actor, input.deviceId),

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

/** A command that a device offers. */
interface OfferedCommandRow {
  /** The version of the property that lists it. */
  readonly version: number;
  /** Its place in that list. */
  readonly index: number;
  /** As JSON text. */
  readonly command: string;
}

/**
 * Reads a slice of the commands in the property of a device, by its raw id, as far as they fit on the page: the property may have 4 MiB, of which the hub gets no more. Entries that have
 * not the shape of a command are left out.
 */
function readOfferedCommands(
  tx: Database,
  deviceId: string,
  slice: Slice,
): Promise<CutRows<OfferedCommandRow>> {
  return readWithinBytes(tx, slice, {
    rows: sql`
      select * from (
        select p.version, e.nth - 1 as index, e.command from device_properties p
          cross join lateral jsonb_array_elements(
            case when jsonb_typeof(p.value -> 'commands') = 'array' then p.value -> 'commands' else '[]' end
          ) with ordinality as e(command, nth)
        where p.device_id = ${deviceId} and p.name = ${commandsProperty}
          and jsonb_typeof(e.command -> 'name') = 'string'
          and coalesce(jsonb_typeof(e.command -> 'description'), 'null') in ('string', 'null')
          and coalesce(jsonb_typeof(e.command -> 'category'), 'null') in ('string', 'null')
      ) as offered where ${slice.follows} ${slice.orderAndLimit}`,
    documents: ['command'],
    columns: ['version', 'index'],
  });
}
