import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { json, mapOf, text, timestamp, uint64 } from '../scalars.ts';
import { commandManifest } from '../shapes.ts';

const property = z.object({
  name: text,
  value: json,
  protected: z.boolean(),
  /** 1 after the first write, one more after each further write; it continues after a removal. */
  version: uint64,
  lastUpdated: timestamp,
});

/** Actions on the properties of devices, and on the commands that a device offers in one of them. */
export const propertiesActions = {
  devices_SetDeviceProperty: command({
    doc: 'Sets a property of a device; only users may set a protected one, and expectedVersion makes the write conditional.',
    input: z.object({
      deviceId: ids.device.schema,
      name: text,
      value: json,
      protected: z.boolean().optional(),
      expectedVersion: uint64.optional(),
    }),
    // The commands that a device offers, 4 MiB at most, are a property.
    maxInputBytes: (4096 + 16) * 1024,
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Set') }),
      z.object({ result: z.literal('VersionConflict'), currentVersion: uint64 }),
      z.object({ result: z.literal('Deleted') }),
    ]),
    audit: 'people',
  }),
  devices_GetDeviceProperty: query({
    doc: 'Returns a property of a device.',
    reads: ['properties'],
    input: z.object({ deviceId: ids.device.schema, name: text }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('NotFound') }),
      property.extend({ result: z.literal('Found') }),
    ]),
  }),
  devices_RemoveProperty: command({
    doc: 'Removes a property of a device; only users may remove a protected one.',
    input: z.object({ deviceId: ids.device.schema, name: text }),
    output: z.object({ result: z.enum(['Removed', 'NotFound']) }),
    audit: 'people',
  }),
  devices_QueryDeviceProperties: pagedQuery({
    doc: 'Lists the properties of a device by name.',
    reads: ['properties'],
    input: z.object({ deviceId: ids.device.schema }),
    output: z.object({ properties: mapOf(property) }),
  }),
  devices_QueryCommands: pagedQuery({
    doc: 'Lists the commands that a device offers in its property dev.nexigon.commands.',
    reads: ['properties'],
    input: z.object({ deviceId: ids.device.schema }),
    output: z.object({ manifest: commandManifest }),
  }),
} as const;
