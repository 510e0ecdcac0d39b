import { ids, isFileCommand, type Output } from '@corral/contract';
import { newRawId } from '../../../auth/random.ts';
import { readUnparsedProperty, systemInfoProperty } from '../../devices/index.ts';
import {
  isWindowOpen,
  lockRunningOperation,
  type Operation,
  type Step,
  type Turn,
} from '../sql/operations.ts';
import { type CurrentStep, handOut, readStep } from '../sql/steps.ts';
import { finishStep } from './advance.ts';
import { onlyFiles } from './step-checks.ts';

type DeviceStep = Extract<Step, { kind: 'DeviceCommand' | 'DeviceTask' }>;

/** What takes the current step of a device. */
export interface Taker {
  /** The raw id of the device. */
  readonly deviceId: string;
  /** The raw id of its connection, where the door knows it. */
  readonly connectionId?: string | undefined;
  /** The kinds of steps that a claim of the device asks for; empty without a claim. */
  readonly claims: readonly DeviceStep['kind'][];
  /** Whether the claim has just arrived: the device then has not got, or has lost, what was claimed before over this connection. */
  readonly isNewClaim: boolean;
  /** Whether the hub may open a channel for commands on the connection, as far as its door knows. */
  readonly mayOpenChannel: boolean;
  /** Whether what should go through a channel is left for it. */
  readonly isClaimOnly?: boolean;
}

/** A step that was handed out: as the answer to a claim, or to be sent through a channel. */
export type HandedOut =
  | { readonly carrier: 'Claim'; readonly item: Output<'devices_ClaimOperationWork'>['work'][number] }
  | {
      readonly carrier: 'Channel';
      /** The raw id of the operation. */
      readonly operationId: string;
      readonly stepIndex: number;
      readonly step: Extract<Step, { kind: 'DeviceCommand' }>;
    };

/** So many claims of a step without a report, within so long, are a device that loses what it gets. */
const maxClaims = 3;
const claimWindowMs = 600_000;
const lostLedger =
  "The device can't keep its ledger: it took this step three times in ten minutes and reported nothing.";

/** Hands out the current step of the operation that runs on a device, by one carrier; undefined if there is none to hand out, or its operation on a fleet does not run. */
export async function takeStep(turn: Turn, taker: Taker): Promise<HandedOut | undefined> {
  const operation = await lockRunningOperation(turn.tx, taker.deviceId);
  if (operation === undefined) return undefined;
  const step = operation.steps[operation.stepIndex];
  const row = await readStep(turn, operation.operationId, operation.stepIndex);
  if (row?.status !== 'Running' || (step?.kind !== 'DeviceCommand' && step?.kind !== 'DeviceTask'))
    return undefined;
  // A hub of an older release may have taken it.
  if (step.kind === 'DeviceCommand' && isFileCommand(step.command)) {
    await finishStep(turn, operation, operation.stepIndex, {
      status: 'Failed',
      error: onlyFiles(step.command),
    });
    return undefined;
  }
  // What the device has taken runs, and is its own also when it asks again.
  if (row.carrier === null && !isWindowOpen(turn, operation)) return undefined;
  const carrier = await carrierOf(turn, operation, step, row, taker);
  if (carrier === undefined || (carrier === 'Channel' && taker.isClaimOnly === true)) return undefined;
  const isRecent = turn.now.getTime() - Date.parse(row.firstClaimedAt ?? '') < claimWindowMs;
  if (carrier === 'Claim' && isRecent && row.claims >= maxClaims) {
    await finishStep(turn, operation, operation.stepIndex, { status: 'Failed', error: lostLedger });
    return undefined;
  }
  const claimId = newRawId();
  const { connectionId } = taker;
  if (!(await handOut(turn, operation, { carrier, claimId, connectionId, isRecent }))) return undefined;
  return handedOut(operation, withTimeout(step, row), row, { carrier, claimId });
}

/** Whether a device says that it takes commands through channels: another endpoint ends an agent of 2025-09. */
async function offersCommands({ tx }: Turn, deviceId: string): Promise<boolean> {
  const info = await readUnparsedProperty(tx, deviceId, systemInfoProperty);
  if (info === undefined) return false;
  const { agent } = (JSON.parse(info.value) ?? {}) as {
    agent?: { config?: { commands?: { enabled?: unknown } | null } | null } | null;
  };
  return agent?.config?.commands?.enabled === true;
}

/** The device gets the time that the hub gives it. */
function withTimeout<Given extends DeviceStep>(step: Given, { timeoutSecs }: CurrentStep): Given {
  return timeoutSecs === null ? step : { ...step, timeoutSecs };
}

function handedOut(
  operation: Operation,
  step: DeviceStep,
  { checkpoint }: CurrentStep,
  { carrier, claimId }: { readonly carrier: HandedOut['carrier']; readonly claimId: string },
): HandedOut {
  const { operationId, stepIndex, name: operationName } = operation;
  if (carrier === 'Channel' && step.kind === 'DeviceCommand')
    return { carrier, operationId, stepIndex, step };
  const item = {
    deviceOperationId: ids.deviceOperation.of(operationId),
    claimId: ids.deviceOperationClaim.of(claimId),
    operationName,
    stepIndex,
    ...(checkpoint === null ? {} : { checkpoint }),
    step,
  };
  return { carrier: 'Claim', item };
}

/** By which carrier a step goes out; what a device says of itself is read only where that matters. */
async function carrierOf(
  turn: Turn,
  operation: Operation,
  step: DeviceStep,
  row: CurrentStep,
  taker: Taker,
): Promise<HandedOut['carrier'] | undefined> {
  const carrier = carrierFor(operation, step, row, taker);
  if (carrier !== 'Channel' || (await offersCommands(turn, taker.deviceId))) return carrier;
  return carrierFor(operation, step, row, { ...taker, mayOpenChannel: false });
}

/** The carrier of a step if the device serves those that its door may use: what a person starts on one device through a channel, so that its log is seen, what runs on many by their claims. */
function carrierFor(
  { fleetOperationId }: Operation,
  { kind }: DeviceStep,
  row: CurrentStep,
  { claims, connectionId, isNewClaim, mayOpenChannel }: Taker,
): HandedOut['carrier'] | undefined {
  const claim = claims.includes(kind) ? ('Claim' as const) : undefined;
  // Another live connection, as of a clone or of a device that has not been missed yet, waits until the one that has the step has ended.
  const hasLostIt = isNewClaim && (row.connectionId === null || row.connectionId === connectionId);
  if (row.carrier === 'Claim') return hasLostIt || row.isConnectionEnded ? claim : undefined;
  if (row.carrier !== null) return undefined;
  // A task has no channel.
  const channel = mayOpenChannel && kind === 'DeviceCommand' ? ('Channel' as const) : undefined;
  return fleetOperationId === null ? (channel ?? claim) : (claim ?? channel);
}
