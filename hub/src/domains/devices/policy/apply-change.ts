import { ActionError, type Json, nameProblem } from '@corral/contract';
import { mustHaveNoProblem } from '../../../auth/input-problems.ts';
import type { DeviceChange } from '../sql/change-previews.ts';
import { openWindows } from './certificate-rotation.ts';
import {
  acceptPending,
  type ChangeContext,
  deleteAll,
  type DeviceOutcome,
  type DeviceTarget,
  labelOf,
  setLabels,
  setNames,
} from './device-changes.ts';

/** A change with names and values as they are stored. Throws an `ActionError` of kind Invalid for one that no device can have. */
export function storedChange(change: DeviceChange): DeviceChange {
  switch (change.kind) {
    case 'Rename': {
      const pattern = change.pattern.trim().normalize();
      if (pattern === '')
        throw new ActionError('Invalid', 'Say what the devices are to be called, such as "pump-{n}".');
      mustHaveNoProblem(nameProblem(pattern.replaceAll(/\{(hostname|n)\}/gu, '1'), 'deviceName'));
      return { ...change, pattern };
    }
    case 'SetLabel':
      return { kind: change.kind, ...labelOf(change.name, change.value) };
    case 'RemoveLabel':
      return { kind: change.kind, name: labelOf(change.name, undefined).name };
    case 'Accept':
    case 'Delete':
    case 'RotateCertificates':
      return change;
  }
}

/** Changes some devices of a project, each as the action on one device does, and returns how it ended for each. */
export async function applyChange(
  context: ChangeContext,
  change: DeviceChange,
  targets: readonly DeviceTarget[],
): Promise<ReadonlyMap<string, DeviceOutcome>> {
  switch (change.kind) {
    case 'Rename':
      return setNames(context, targets);
    case 'SetLabel':
    case 'RemoveLabel':
      return setLabels(context, change.name, targets);
    case 'Accept':
      return acceptAll(context, targets);
    case 'Delete':
      return deleteAll(context, targets);
    case 'RotateCertificates':
      return openWindows(context, change, targets);
  }
}

async function acceptAll(
  context: ChangeContext,
  targets: readonly DeviceTarget[],
): Promise<ReadonlyMap<string, DeviceOutcome>> {
  const deviceOf = await acceptPending(
    context,
    targets.flatMap(({ given }) => given as string[]),
  );
  const accepted = new Map<string, number>();
  for (const deviceId of deviceOf.values()) accepted.set(deviceId, (accepted.get(deviceId) ?? 0) + 1);
  return new Map(
    targets.map(({ deviceId, given }) => [deviceId, outcomeOf(accepted.get(deviceId) ?? 0, given)]),
  );
}

function outcomeOf(accepted: number, given: Json): DeviceOutcome {
  if (accepted > 0) return { before: accepted, after: given };
  return { problem: new ActionError('Invalid', 'Its certificates do not wait for approval any more.') };
}
