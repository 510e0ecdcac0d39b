import { type Json, parseExactJson } from '@corral/contract';
import { lockDevice, readUnparsedProperty, setProperty, unsetProperty } from '../../devices/index.ts';
import { mutatedValue } from './evaluate.ts';
import type { Operation, Step, Turn } from '../sql/operations.ts';
import type { StepEnd } from '../sql/steps.ts';

const maxValueBytes = 262_144;

type PropertyStep = Extract<
  Step,
  { kind: 'SetDeviceProperty' | 'UpdateDeviceProperty' | 'RemoveDeviceProperty' }
>;

/** Whether the hub does a step at once. */
export function isPropertyStep(step: Step): step is PropertyStep {
  return step.kind.endsWith('DeviceProperty') && step.kind !== 'WaitForDeviceProperty';
}

/** Does a step that changes a property, on behalf of who created the operation. The device stays locked until the transaction ends. */
export async function changeProperty(turn: Turn, operation: Operation, step: PropertyStep): Promise<StepEnd> {
  const { deviceId, projectId, createdBy: actor } = operation;
  await lockDevice(turn.tx, deviceId);
  const before = await readUnparsedProperty(turn.tx, deviceId, step.name);
  const undo: Json =
    before === undefined
      ? null
      : {
          value: parseExactJson(before.value) as Json,
          protected: before.is_protected,
          version: before.version,
        };
  const found = await wantedValue(turn, deviceId, step, before?.value);
  if ('error' in found) return { status: 'Failed', error: found.error };
  if (found.value === undefined) {
    if (before !== undefined) await unsetProperty(turn, { projectId, deviceId, name: step.name, actor });
    return { status: 'Succeeded', undo };
  }
  const isProtected = 'protected' in step ? step.protected : undefined;
  const change = {
    projectId,
    deviceId,
    name: step.name,
    value: found.value,
    isProtected,
    byDevice: false,
    actor,
  };
  const outcome = await setProperty(turn, change);
  if (outcome === 'Written') return { status: 'Succeeded', undo };
  const error =
    outcome === 'Full'
      ? 'The device has as many properties as it may have.'
      : 'The properties of the device would have more bytes than they may.';
  return { status: 'Failed', error };
}

/** The value that a step gives a property, as JSON text; undefined where it removes it. */
async function wantedValue(
  turn: Turn,
  deviceId: string,
  step: PropertyStep,
  before: string | undefined,
): Promise<{ readonly value: string | undefined } | { readonly error: string }> {
  if (step.kind === 'RemoveDeviceProperty') return { value: undefined };
  if (step.kind === 'SetDeviceProperty') return bounded(step.value);
  const current = before === undefined ? undefined : (parseExactJson(before) as Json);
  const changed = await mutatedValue(turn, deviceId, step.mutation as never, current);
  if ('error' in changed) return changed;
  return changed.value === undefined ? { value: undefined } : bounded(changed.value);
}

function bounded(json: Json): { readonly value: string } | { readonly error: string } {
  const value = JSON.stringify(json);
  if (Buffer.byteLength(value) <= maxValueBytes) return { value };
  return { error: 'The value of a property may have at most 256 KiB as JSON.' };
}
