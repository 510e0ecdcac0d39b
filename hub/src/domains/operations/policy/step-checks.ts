import { ActionError, characterCount, isFileCommand, maxNameCharacters } from '@corral/contract';
import type { Step } from '../sql/operations.ts';

const maxValueBytes = 262_144;
const maxInputBytes = 262_144;

/** Requires steps that can be run; throws an `ActionError` of kind Invalid that names the step. */
export function mustHaveSteps(steps: readonly Step[]): void {
  if (steps.length === 0) throw new ActionError('Invalid', 'An operation has at least one step.');
  for (const [index, step] of steps.entries()) {
    const problem = problemOf(step);
    if (problem !== undefined) throw new ActionError('Invalid', `Step ${index + 1}: ${problem}`);
  }
}

/** Why a command of files is no step: what an operation keeps, all members of the project read. */
export const onlyFiles = (command: string): string =>
  `The command ${command} is no step of an operation: fetch and put files on the page of the device, or with "corral files".`;

function problemOf(step: Step): string | undefined {
  if (step.kind === 'DeviceCommand' && isFileCommand(step.command)) return onlyFiles(step.command);
  if ('name' in step && characterCount(step.name) > maxNameCharacters)
    return `The name of a property has 1 to ${maxNameCharacters} characters.`;
  if (step.kind === 'SetDeviceProperty' && isLarger(step.value, maxValueBytes))
    return 'The value of a property may have at most 256 KiB as JSON.';
  if ('input' in step && isLarger(step.input, maxInputBytes))
    return 'The input may have at most 256 KiB as JSON.';
  return undefined;
}

function isLarger(value: unknown, bytes: number): boolean {
  return Buffer.byteLength(JSON.stringify(value)) > bytes;
}
