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
  /** 1 at the first write and one more at each further one, going on after a removal. */
  version: uint64,
  lastUpdated: timestamp,
});

/** The actions of what a device and its people tell each other: properties, and the commands that the device offers by one of them. */
export const propertiesActions = {
  devices_SetDeviceProperty: command({
    doc: 'Writes one property of a device, a protected one only by users; with an expected version only if the property has it.',
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
    audit: 'none',
  }),
  devices_GetDeviceProperty: query({
    doc: 'Reads one property of a device.',
    reads: ['properties'],
    input: z.object({ deviceId: ids.device.schema, name: text }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('NotFound') }),
      property.extend({ result: z.literal('Found') }),
    ]),
  }),
  devices_RemoveProperty: command({
    doc: 'Removes one property of a device, a protected one only by users.',
    input: z.object({ deviceId: ids.device.schema, name: text }),
    output: z.object({ result: z.enum(['Removed', 'NotFound']) }),
    audit: 'none',
  }),
  devices_QueryDeviceProperties: pagedQuery({
    doc: 'Reads all properties of a device, by name.',
    reads: ['properties'],
    input: z.object({ deviceId: ids.device.schema }),
    output: z.object({ properties: mapOf(property) }),
  }),
  devices_QueryCommands: pagedQuery({
    doc: 'Lists the commands that a device offers, as it says in its property dev.nexigon.commands.',
    reads: ['properties'],
    input: z.object({ deviceId: ids.device.schema }),
    output: z.object({ manifest: commandManifest }),
  }),
} as const;
