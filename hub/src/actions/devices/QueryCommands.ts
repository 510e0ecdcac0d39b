import { deviceCommand, ids, type DeviceCommand, type Json } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { commandsProperty } from '../../store/known-properties.ts';

/** Lists the commands that a device offers; what it wrote in another shape than that of a command is left out. */
export const QueryCommands: Handler<'devices_QueryCommands'> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input }) {
    const row = await tx
      .selectFrom('device_properties')
      .select('value')
      .where('device_id', '=', ids.device.raw(input.deviceId))
      .where('name', '=', commandsProperty)
      .executeTakeFirst();
    return { manifest: { commands: listOf(row?.value).flatMap(commandOf) } };
  },
};

function listOf(value: Json | undefined): readonly Json[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Array.isArray(value['commands']) ? value['commands'] : [];
}

/** Strict decoders take `null` for absent only where a field is optional, and nothing else for text. */
function commandOf(item: Json): DeviceCommand[] {
  const { success, data } = deviceCommand.safeParse(withoutNulls(item));
  return success ? [data] : [];
}

function withoutNulls(item: Json): Json {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}
