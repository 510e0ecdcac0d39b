import { z } from 'zod';
import { exprSchema, mutationSchema } from './expressions.ts';
import { ids } from './ids.ts';
import { maintenanceWindow } from './maintenance-window.ts';
import { filterText } from './paging.ts';
import { json, listOf, text, textUpTo, timestamp, uint32 } from './scalars.ts';
import { actor } from './shapes.ts';

const daySecs = 86_400;

/** The name of an operation, a stage or a task. */
export const operationName = textUpTo(128).min(1, 'must have at least one character').normalize();
/** The description of an operation. */
export const operationDescription = textUpTo(4096);
/** The name of a property that a step reads or writes. */
const propertyName = textUpTo(256).min(1, 'must have at least one character');
const commandName = textUpTo(256).min(1, 'must have at least one character');
const seconds = (most: number) => z.int().min(1).max(most);
const percent = z.int().min(0).max(100);

/** How an operation on a device stands. */
export const deviceOperationStatus = z.enum([
  'Pending',
  'Running',
  'Succeeded',
  'Failed',
  'TimedOut',
  'Cancelled',
]);

/** How a step of an operation stands. */
const stepStatus = z.enum(['Pending', 'Running', 'Succeeded', 'Failed', 'TimedOut', 'Skipped']);

/** How an operation on a fleet stands; Failed is one that ended, in which devices failed or could not be selected. */
export const fleetOperationStatus = z.enum([
  'Draft',
  'Running',
  'Paused',
  'Completed',
  'Failed',
  'Cancelled',
]);

/** What more is known of how an operation on a device ended. NotDelivered: it never started. Interrupted: its link ended. Unknown: the link ended, and the device may have gone on. Superseded: a newer one took its place. */
const operationOutcome = z.enum(['NotDelivered', 'Interrupted', 'Unknown', 'Superseded']);

/** How a step reaches its device: a claim of the device, a channel that the hub opens, or nothing, because the hub does it. */
const stepCarrier = z.enum(['Claim', 'Channel', 'Hub']);

/** Runs the step if true, skips it if false. */
const when = { when: exprSchema.optional() };

const deviceCommandStep = z.object({
  kind: z.literal('DeviceCommand'),
  command: commandName,
  input: json,
  timeoutSecs: seconds(daySecs).optional(),
  ...when,
});

const deviceTaskStep = z.object({
  kind: z.literal('DeviceTask'),
  task: commandName,
  input: json,
  timeoutSecs: seconds(7 * daySecs).optional(),
  ...when,
});

/** One step of an operation. */
export const operationStep = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('SetDeviceProperty'),
    name: propertyName,
    value: json,
    protected: z.boolean().optional(),
    ...when,
  }),
  z.object({
    kind: z.literal('UpdateDeviceProperty'),
    name: propertyName,
    mutation: mutationSchema,
    protected: z.boolean().optional(),
    ...when,
  }),
  z.object({ kind: z.literal('RemoveDeviceProperty'), name: propertyName, ...when }),
  deviceCommandStep,
  deviceTaskStep,
  z.object({
    kind: z.literal('WaitForDeviceProperty'),
    predicate: exprSchema,
    timeoutSecs: seconds(7 * daySecs).optional(),
    /** Whether the properties that it reads must have been written after the operation began on the device. */
    freshOnly: z.boolean().optional(),
    ...when,
  }),
]);

/** The steps of an operation, in order. */
export const operationSteps = listOf(operationStep, 32);

/** Which step an input means; an operation has no more than 32. */
export const stepIndex = z.int().min(0).max(31);

/** A step that has been reached. */
export const stepState = z.object({
  stepIndex: uint32,
  status: stepStatus,
  output: json.optional(),
  error: text.optional(),
  startedAt: timestamp.optional(),
  completedAt: timestamp.optional(),
  checkpoint: json.optional(),
  carrier: stepCarrier.optional(),
  /** The last lines that the command wrote to its standard error; only of steps through a channel. */
  log: z.array(text).optional(),
});

/** An operation on one device. */
export const deviceOperationSummary = z.object({
  deviceOperationId: ids.deviceOperation.schema,
  projectId: ids.project.schema,
  deviceId: ids.device.schema,
  createdBy: actor.optional(),
  fleetOperationId: ids.fleetOperation.schema.optional(),
  name: text,
  description: text.optional(),
  status: deviceOperationStatus,
  stepIndex: uint32,
  stepCount: uint32,
  lastError: text.optional(),
  createdAt: timestamp,
  startedAt: timestamp.optional(),
  completedAt: timestamp.optional(),
  updatedAt: timestamp,
  outcome: operationOutcome.optional(),
  /** 1 at first, one more with each retry. */
  attempt: uint32,
});

/** A step that a device claimed, with what it needs to do it. */
export const workItem = z.object({
  deviceOperationId: ids.deviceOperation.schema,
  claimId: ids.deviceOperationClaim.schema,
  operationName: text,
  stepIndex: uint32,
  checkpoint: json.optional(),
  step: z.discriminatedUnion('kind', [deviceCommandStep, deviceTaskStep]),
});

/** What a device says of a step that it claimed. */
export const stepReport = z.object({
  status: z.enum(['Running', 'Succeeded', 'Failed']),
  output: json.optional(),
  checkpoint: json.optional(),
  /** Its first 4,096 characters are kept: refusing a report would make the device claim again at once. */
  error: textUpTo(1_048_576).optional(),
});

/** How many devices a list of them may name: an input has at most 100,000 JSON values in all. */
export const maxSelectedDevices = 90_000;
/** A list of 90,000 devices by their ids has some 3 MiB. */
export const maxDefinitionBytes = 4 * 1024 * 1024;

/** Which devices an operation runs on: all conditions hold. At least one of `deviceIds`, `query` and `predicates` is given. */
export const selector = z.object({
  deviceIds: listOf(ids.device.schema, maxSelectedDevices).optional(),
  predicates: listOf(exprSchema, 20),
  /** A filter as the list of devices takes it; `all` for all devices of the project. */
  query: filterText.optional(),
});

/** A condition for the next stage. */
const gate = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('DeviceProperty'), predicate: exprSchema, minMatchPercent: percent }),
  z.object({ kind: z.literal('NotBefore'), notBefore: timestamp }),
]);

/** A stage: the first so many percent of the devices, in an order of chance that stays. */
const stage = z.object({
  name: operationName,
  percentage: z.int().min(1).max(100).optional(),
  autoAdvance: z.boolean().optional(),
  /** How long all devices of the stage must have ended before the next stage begins by itself. */
  soakSecs: seconds(7 * daySecs).optional(),
  guard: z
    .object({
      minSuccessPercent: percent.optional(),
      maxFailurePercent: percent.optional(),
      gates: listOf(gate, 10),
    })
    .optional(),
});

/** The stages of an operation, in order; without stages 1 %, 10 % and 100 %. */
export const stages = listOf(stage, 20);

/** The version that an operation installs, and by which recipe; by default the kind of the package chooses. */
const install = z.object({
  versionId: ids.packageVersion.schema,
  recipe: z.enum(['rugix', 'command', 'property']).optional(),
});

/** How fast an operation goes, and when it stops by itself. */
export const pace = {
  /** On how many devices it runs at the same time; 50 by default. */
  maxInFlight: z.int().min(1).max(10_000).optional(),
  /** It pauses when more than so many percent of the devices of a stage have failed; 5 by default. */
  pauseOnFailurePercent: percent.optional(),
};

/** What an operation is made of, as Create and Preview take it. */
export const fleetDefinition = {
  projectId: ids.project.schema,
  name: operationName,
  description: operationDescription.optional(),
  enrollmentIntervalSecs: z.int().min(1).max(0xffff_ffff).optional(),
  closeWhenConverged: z.boolean().optional(),
  selector,
  stages,
  /** May be empty with `install`. */
  steps: operationSteps,
  install: install.optional(),
  /** Outside of it no device begins and no step is handed out; what runs goes on. */
  window: maintenanceWindow.optional(),
  ...pace,
  /** A device on which it has not started by then ends as TimedOut, NotDelivered; a week by default. */
  deliverWithinSecs: seconds(90 * daySecs).optional(),
};

/** How many devices of an operation stand how. */
const progress = z.object({
  total: uint32,
  pending: uint32,
  running: uint32,
  succeeded: uint32,
  failed: uint32,
  timedOut: uint32,
  cancelled: uint32,
});

/** An operation on a fleet. */
export const fleetOperationSummary = z.object({
  fleetOperationId: ids.fleetOperation.schema,
  projectId: ids.project.schema,
  name: text,
  description: text.optional(),
  status: fleetOperationStatus,
  enrollmentIntervalSecs: uint32.optional(),
  lastEnrollmentAt: timestamp.optional(),
  closeWhenConverged: z.boolean(),
  activeStageIndex: uint32,
  stageCount: uint32,
  progress,
  createdAt: timestamp,
  startedAt: timestamp.optional(),
  completedAt: timestamp.optional(),
  createdBy: actor.optional(),
  /** Why it is paused, in a sentence. */
  pauseReason: text.optional(),
  /** Devices on which it has not started in time; they are among `timedOut`, and no failures. */
  notDelivered: uint32,
  /** Devices on which a step was interrupted by the end of the link; among `failed`. */
  interrupted: uint32,
  /** Devices whose outcome nobody knows; among `failed`. */
  unknown: uint32,
  /** Devices on which it could not be decided whether they are selected. */
  selectionErrors: uint32,
  maxInFlight: uint32,
  pauseOnFailurePercent: uint32,
  deliverWithinSecs: uint32.optional(),
  install: install.optional(),
  window: maintenanceWindow.optional(),
  /** Whether its creator asks others to start it: an owner, or a second person who is one; of a draft. */
  waitsFor: z.enum(['Owner', 'SecondPerson']).optional(),
  /** When its window opens; of one that runs and waits for it. */
  opensAt: timestamp.optional(),
});

/** The devices and failures of a stage. */
export const stageState = z.object({
  stageIndex: uint32,
  devices: uint32,
  progress,
  /** Failures that count against the budget, and how many of them it takes to pause. */
  failures: uint32,
  budget: uint32,
  openedAt: timestamp.optional(),
});

/** One device of an operation on a fleet. */
export const operationTarget = z.object({
  deviceId: ids.device.schema,
  deviceOperationId: ids.deviceOperation.schema,
  stageIndex: uint32,
  stepIndex: uint32,
  status: deviceOperationStatus,
  lastError: text.optional(),
  updatedAt: timestamp,
  stepStates: z.array(stepState),
  deviceName: text.optional(),
  isConnected: z.boolean(),
  attempt: uint32,
  carrier: stepCarrier.optional(),
  outcome: operationOutcome.optional(),
});
