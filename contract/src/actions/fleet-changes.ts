import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { maxDefinitionBytes, maxSelectedDevices } from '../operation-shapes.ts';
import { filterText, pagedQuery } from '../paging.ts';
import { rotationChoices } from '../rotation-shapes.ts';
import {
  empty,
  json,
  labelNameText,
  labelValue,
  listOf,
  text,
  textUpTo,
  timestamp,
  uint32,
} from '../scalars.ts';
import { actor } from '../shapes.ts';

const jobId = ids.fleetJob.schema;
const ofJob = z.object({ jobId });

/** What is changed of devices. */
const change = z.discriminatedUnion('kind', [
  /** `{hostname}` is the hostname of the device, or its name without one, and `{n}` its number in the order of names, from 1. */
  z.object({ kind: z.literal('Rename'), pattern: textUpTo(1024) }),
  z.object({ kind: z.literal('SetLabel'), name: labelNameText, value: labelValue }),
  z.object({ kind: z.literal('RemoveLabel'), name: labelNameText }),
  /** Accepts all certificates that wait for approval. */
  z.object({ kind: z.literal('Accept') }),
  z.object({ kind: z.literal('Delete') }),
  /** Opens a window in which each device may replace its certificate. */
  z.object({ kind: z.literal('RotateCertificates'), ...rotationChoices }),
]);

/** Which devices are changed, by exactly one of `query` and `deviceIds`, and how. */
const devicesToChange = {
  projectId: ids.project.schema,
  /** A filter as the list of devices takes it; `all` for all devices of the project. */
  query: filterText.optional(),
  deviceIds: listOf(ids.device.schema, maxSelectedDevices).optional(),
  change,
};

/** What a device has, or gets; absent for nothing, of Accept how many certificates wait for approval. */
const beforeAndAfter = {
  deviceId: ids.device.schema,
  deviceName: text.optional(),
  before: json.optional(),
  after: json.optional(),
};

/** Actions that change many devices at once: each is previewed, has a result for each device, and can be undone where there is a way back. */
export const fleetChangeActions = {
  fleet_PreviewChange: query({
    doc: 'Says what a change of many devices would do now, without making it: which devices it would change, which are left out and why.',
    reads: ['devices', 'certificates'],
    input: z.object(devicesToChange),
    maxInputBytes: maxDefinitionBytes,
    output: z.object({
      /** The devices that are selected, of which `eligible` would be changed. */
      matched: uint32,
      eligible: uint32,
      excluded: z.array(
        z.object({
          reason: text,
          count: uint32,
          sample: z.array(z.object({ deviceId: ids.device.schema, name: text.optional() })),
        }),
      ),
      /** The first devices that would be changed, at most 5. */
      samples: z.array(z.object(beforeAndAfter)),
      /** Eligible devices that are connected now. */
      connected: uint32,
      /** Whether only an owner of the project may do so. */
      needsOwner: z.boolean(),
      undoable: z.boolean(),
      previewHash: text,
    }),
  }),
  fleet_ApplyChange: command({
    doc: 'Changes many devices as a preview has shown, if the selection is still the same; it goes on after the answer.',
    input: z.object({ ...devicesToChange, previewHash: textUpTo(64) }),
    maxInputBytes: maxDefinitionBytes,
    output: ofJob,
  }),
  fleet_GetChange: query({
    doc: 'Returns a change of many devices with its progress.',
    reads: ['changes'],
    input: ofJob,
    output: z.object({
      jobId,
      projectId: ids.project.schema,
      change,
      /** The change that it takes back. */
      undoes: jobId.optional(),
      total: uint32,
      done: uint32,
      failed: uint32,
      undoable: z.boolean(),
      createdBy: actor,
      createdAt: timestamp,
      completedAt: timestamp.optional(),
    }),
  }),
  fleet_QueryChangeResults: pagedQuery({
    doc: 'Lists the devices of a change, or those that stand in one way: whether each was changed, or why not.',
    reads: ['changes'],
    input: z.object({ jobId, status: z.enum(['Pending', 'Done', 'Failed']).optional() }),
    output: z.object({
      results: z.array(
        z.object({
          ...beforeAndAfter,
          status: z.enum(['Pending', 'Done', 'Failed']),
          /** Why it was not changed, in a sentence. */
          reason: text.optional(),
        }),
      ),
    }),
  }),
  fleet_CancelChange: command({
    doc: 'Ends a change that goes on: devices that were not changed yet stay as they are.',
    input: ofJob,
    output: empty,
  }),
  fleet_UndoChange: command({
    doc: 'Gives the devices of a change back what they had before, as far as they still have what it gave them.',
    input: ofJob,
    output: ofJob,
  }),
} as const;
