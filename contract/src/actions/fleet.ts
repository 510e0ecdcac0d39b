import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import {
  deviceOperationStatus,
  fleetDefinition,
  fleetOperationStatus,
  fleetOperationSummary,
  maxDefinitionBytes,
  operationStep,
  operationTarget,
  pace,
  selector,
  stages,
  stageState,
  stepIndex,
} from '../operation-shapes.ts';
import { filterText, orderOf, pagedQuery } from '../paging.ts';
import { empty, json, listOf, text, textUpTo, timestamp, uint32, uint64 } from '../scalars.ts';
import { actor } from '../shapes.ts';

const fleetOperationId = ids.fleetOperation.schema;
const ofOperation = z.object({ fleetOperationId });
const previewHash = textUpTo(64);
const sample = z.array(z.object({ deviceId: ids.device.schema, name: text.optional() }));

const gateResult = z.object({
  gateIndex: uint32,
  passed: z.boolean(),
  summary: text,
  actualPercent: uint32,
  thresholdPercent: uint32,
  evaluationErrorCount: uint32,
  evaluationError: text.optional(),
});

const preview = z.object({
  /** The devices that the selector finds, of which `eligible` would run it. */
  matched: uint32,
  eligible: uint32,
  /** Eligible devices that are not connected now. */
  offline: uint32,
  excluded: z.array(z.object({ reason: text, count: uint32, sample })),
  stages: z.array(z.object({ name: text, devices: uint32 })),
  /** What steps of properties and installs change, the most frequent first, at most 20; without `to` it is removed. */
  changes: z.array(z.object({ what: text, from: json.optional(), to: json.optional(), count: uint32 })),
  /** What the eligible devices would download together. */
  downloadBytes: uint64,
  /** Whether only an owner of the project may start it. */
  needsOwner: z.boolean(),
  /** Whether another owner than who creates it has to start it. */
  needsApproval: z.boolean(),
  /** Who may start it, at most five by name, where the caller may not. */
  starters: z.array(text).optional(),
  /** When it is in its window, or will be the next time. */
  window: z.object({ opensAt: timestamp, closesAt: timestamp }).optional(),
  warnings: z.array(text),
  previewHash,
});

/** Actions on operations of a fleet: the same steps on many devices of a project, in stages. */
export const fleetActions = {
  fleet_QueryOperations: pagedQuery({
    doc: 'Lists the operations on the devices of a project, or those that stand in one of some ways, newest first.',
    reads: ['operations'],
    input: z.object({
      projectId: ids.project.schema,
      status: listOf(fleetOperationStatus, 6).optional(),
    }),
    output: z.object({ operations: z.array(fleetOperationSummary) }),
  }),
  fleet_GetOperation: query({
    doc: 'Returns an operation on a fleet with what it is made of and how each of its stages stands.',
    reads: ['operations'],
    input: ofOperation,
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('NotFound') }),
      z.object({
        result: z.literal('Found'),
        summary: fleetOperationSummary,
        selector,
        stages,
        steps: z.array(operationStep),
        stageStates: z.array(stageState),
        /** Whether a paused one would only pause again, since the guard of its stage does not let the next one begin. */
        isHeldByGuard: z.boolean().optional(),
        /** Who may start it, at most five by name, where the caller may not; of a draft. */
        starters: z.array(text).optional(),
      }),
    ]),
  }),
  fleet_PreviewOperation: query({
    doc: 'Says what an operation would do now, without creating it: on which devices it would run, which are left out and why, and what would change.',
    reads: ['devices', 'properties', 'connections'],
    input: z.object(fleetDefinition),
    maxInputBytes: maxDefinitionBytes,
    output: preview,
  }),
  fleet_PreviewDraft: query({
    doc: 'Says the same of a draft, if it was started now; of one that undoes an operation, what its devices get back.',
    reads: ['devices', 'properties', 'connections', 'operations'],
    input: ofOperation,
    output: preview,
  }),
  fleet_CreateOperation: command({
    doc: 'Creates an operation on a fleet as a draft; with previewHash it starts only while the selection is as it was previewed.',
    input: z.object({ ...fleetDefinition, previewHash: previewHash.optional() }),
    maxInputBytes: maxDefinitionBytes,
    output: z.object({ fleetOperationId }),
  }),
  fleet_StartOperation: command({
    doc: 'Starts a draft, or goes on with a paused operation.',
    input: ofOperation,
    output: empty,
  }),
  fleet_PauseOperation: command({
    doc: 'Pauses an operation: no further step is handed out, what already runs on devices goes on and is recorded.',
    input: ofOperation,
    output: empty,
  }),
  fleet_CancelOperation: command({
    doc: 'Ends an operation: devices that have not begun are cancelled, what already runs goes on and is recorded.',
    input: ofOperation,
    output: empty,
  }),
  fleet_AdvanceOperationStage: command({
    doc: 'Opens the next stage of an operation if the guard of the current one allows it; of a paused one as soon as that goes on.',
    input: z.object({ fleetOperationId, force: z.boolean().optional(), reason: textUpTo(1024).optional() }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Advanced') }),
      z.object({ result: z.literal('AlreadyFinalStage') }),
      z.object({
        result: z.literal('GuardBlocked'),
        minSuccessPercent: uint32.optional(),
        successPercent: uint32,
        maxFailurePercent: uint32.optional(),
        failurePercent: uint32,
        gates: z.array(gateResult),
      }),
    ]),
  }),
  fleet_RetryOperation: command({
    doc: 'Runs an operation again on those of its devices that ended in one of the named ways, as further attempts of the same operation.',
    input: z.object({
      fleetOperationId,
      which: listOf(z.enum(['Failed', 'TimedOut', 'Interrupted', 'Cancelled']), 4),
      deviceIds: listOf(ids.device.schema, 10_000).optional(),
      /** Only those of one of the groups that fleet_QueryFailureGroups returns. */
      group: z.object({ text: textUpTo(4096), status: deviceOperationStatus, stepIndex }).optional(),
    }),
    maxInputBytes: maxDefinitionBytes,
    output: z.object({ devices: uint32 }),
  }),
  fleet_SetOperationPace: command({
    doc: 'Changes on how many devices an operation runs at the same time, and how many may fail before it pauses.',
    input: z.object({ fleetOperationId, ...pace }),
    output: empty,
  }),
  fleet_PrepareUndo: command({
    doc: 'Creates a draft that gives the devices of an operation back the properties and versions that they had before it.',
    input: ofOperation,
    output: z.object({ fleetOperationId }),
  }),
  fleet_QueryOperationTargets: pagedQuery({
    doc: 'Lists the devices of an operation, those of later stages included.',
    reads: ['operations'],
    input: z.object({
      fleetOperationId,
      status: listOf(deviceOperationStatus, 6).optional(),
      filter: filterText.optional(),
      order: orderOf(['status', 'updated']).optional(),
    }),
    output: z.object({ targets: z.array(operationTarget) }),
  }),
  fleet_QueryOperationSelectionErrors: pagedQuery({
    doc: 'Lists the devices of which the selector of an operation could not decide whether they are selected.',
    reads: ['operations'],
    input: ofOperation,
    output: z.object({
      errors: z.array(z.object({ deviceId: ids.device.schema, error: text, updatedAt: timestamp })),
    }),
  }),
  fleet_QueryOperationEvents: pagedQuery({
    doc: 'Lists what happened in an operation, newest first.',
    reads: ['operations'],
    input: z.object({
      fleetOperationId,
      deviceId: ids.device.schema.optional(),
      /** Only what happened to the operation itself, without what happened on each of its devices. */
      ofOperation: z.boolean().optional(),
    }),
    output: z.object({
      events: z.array(
        z.object({
          at: timestamp,
          kind: text,
          actor: actor.optional(),
          deviceId: ids.device.schema.optional(),
          data: json,
        }),
      ),
    }),
  }),
  fleet_QueryOperationHistory: query({
    doc: 'Returns how many devices of an operation ended in which way over its time, those that tried again as often as they ended, in at most 60 steps.',
    reads: ['operations'],
    input: ofOperation,
    output: z.object({
      /** When the first step begins. */
      from: timestamp,
      stepSeconds: uint32,
      /** The n-th number is of the n-th step; none before the operation has begun. */
      succeeded: z.array(uint32),
      failed: z.array(uint32),
      timedOut: z.array(uint32),
    }),
  }),
  fleet_QueryFailureGroups: query({
    doc: 'Groups the failed devices of an operation by their errors, in which numbers and ids are replaced, the largest group first, at most 50.',
    reads: ['operations'],
    input: ofOperation,
    output: z.object({
      groups: z.array(
        z.object({
          /** What is equal in the errors of the group. */
          text,
          /** The error of one of its devices. */
          example: text,
          count: uint32,
          status: deviceOperationStatus,
          stepIndex: uint32,
          sample,
        }),
      ),
    }),
  }),
} as const;
