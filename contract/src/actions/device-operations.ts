import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import {
  deviceOperationSummary,
  operationDescription,
  operationName,
  operationStep,
  operationSteps,
  stepIndex,
  stepReport,
  stepState,
  workItem,
} from '../operation-shapes.ts';
import { pagedQuery } from '../paging.ts';
import { empty, listOf } from '../scalars.ts';

const ofOperation = z.object({ deviceOperationId: ids.deviceOperation.schema });
const maxDefinitionBytes = 1_048_576;

/** Actions on operations of one device: steps that the hub and the device do in order. */
export const deviceOperationsActions = {
  devices_QueryOperations: pagedQuery({
    doc: 'Lists the operations of a device, also those that are part of an operation on a fleet, newest first.',
    reads: ['operations'],
    input: z.object({ deviceId: ids.device.schema }),
    output: z.object({ operations: z.array(deviceOperationSummary) }),
  }),
  devices_GetOperation: query({
    doc: 'Returns an operation of a device with its steps and how each of them stands.',
    reads: ['operations'],
    input: ofOperation,
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('NotFound') }),
      z.object({
        result: z.literal('Found'),
        summary: deviceOperationSummary,
        steps: z.array(operationStep),
        stepStates: z.array(stepState),
      }),
    ]),
  }),
  devices_CreateOperation: command({
    doc: 'Creates an operation on one device, which waits until it is started.',
    input: z.object({
      deviceId: ids.device.schema,
      name: operationName,
      description: operationDescription.optional(),
      steps: operationSteps,
    }),
    maxInputBytes: maxDefinitionBytes,
    output: z.object({ deviceOperationId: ids.deviceOperation.schema }),
  }),
  devices_StartOperation: command({
    doc: 'Starts an operation on one device: at once where the device is connected and does nothing else, otherwise as soon as that is so.',
    input: ofOperation,
    output: empty,
  }),
  devices_CancelOperation: command({
    doc: 'Cancels an operation on one device that has not ended; a command that already runs there goes on, and its result is recorded.',
    input: ofOperation,
    output: empty,
  }),
  devices_ClaimOperationWork: command({
    doc: 'Hands the calling device its current step; a call over a device link is held until there is one.',
    input: z.object({
      deviceId: ids.device.schema,
      limit: z.int().min(1).max(20).optional(),
      kinds: listOf(z.enum(['DeviceCommand', 'DeviceTask']), 2).optional(),
    }),
    output: z.object({ work: z.array(workItem) }),
    audit: 'none',
  }),
  devices_ReportOperationStep: command({
    doc: 'Records what a device says of a step that it claimed; what was said before, or of a step that has ended, changes nothing.',
    input: z.object({
      deviceId: ids.device.schema,
      deviceOperationId: ids.deviceOperation.schema,
      stepIndex,
      claimId: ids.deviceOperationClaim.schema,
      report: stepReport,
    }),
    // As much as a call of a device may have; the hub keeps the beginning of the output.
    maxInputBytes: 8 * 1024 * 1024,
    output: empty,
    audit: 'none',
  }),
} as const;
