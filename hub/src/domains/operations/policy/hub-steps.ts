import type { Json } from '@corral/contract';
import { lockDevice, readUnparsedProperty, setProperty, unsetProperty } from '../../devices/index.ts';
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
      : { value: JSON.parse(before.value) as Json, protected: before.is_protected, version: before.version };
  if (step.kind === 'RemoveDeviceProperty') {
    await unsetProperty(turn, { projectId, deviceId, name: step.name, actor });
    return { status: 'Succeeded', undo };
  }
  if (step.kind === 'UpdateDeviceProperty') return failed('This hub cannot evaluate the change.');
  const value = JSON.stringify(step.value);
  if (Buffer.byteLength(value) > maxValueBytes)
    return failed('The value of a property may have at most 256 KiB as JSON.');
  const isProtected = step.protected;
  const change = { projectId, deviceId, name: step.name, value, isProtected, byDevice: false, actor };
  const outcome = await setProperty(turn, change);
  if (outcome === 'Written') return { status: 'Succeeded', undo };
  return failed(
    outcome === 'Full'
      ? 'The device has as many properties as it may have.'
      : 'The properties of the device would have more bytes than they may.',
  );
}

function failed(error: string): StepEnd {
  return { status: 'Failed', error };
}
