import type { Output } from '@corral/contract';
import { operationCopy } from './copy.ts';

/** One step of an operation. */
export type OperationStep = Extract<Output<'devices_GetOperation'>, { result: 'Found' }>['steps'][number];

/** How a step of an operation stands. */
export type StepState = Extract<Output<'devices_GetOperation'>, { result: 'Found' }>['stepStates'][number];

/** What a step does, in a few words. */
export function stepText(step: OperationStep): string {
  const words = operationCopy.steps;
  switch (step.kind) {
    case 'DeviceCommand':
      return words.command(step.command);
    case 'DeviceTask':
      return words.task(step.task);
    case 'SetDeviceProperty':
      return words.set(step.name);
    case 'UpdateDeviceProperty':
      return words.update(step.name);
    case 'RemoveDeviceProperty':
      return words.remove(step.name);
    case 'WaitForDeviceProperty':
      return words.wait;
  }
}
