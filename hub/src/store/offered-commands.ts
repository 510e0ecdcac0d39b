import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { commandsProperty } from './known-properties.ts';
import type { Slice } from './paging/list-order.ts';
import type { CutRows } from './paging/read-page.ts';
import { readWithinBytes } from './paging/read-within-bytes.ts';

/** A command that a device offers. */
export interface OfferedCommandRow {
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
export function readOfferedCommands(
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
