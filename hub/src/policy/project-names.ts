import { ActionError } from '@corral/contract';

const longestName = 200;

/** The name of a project without the blanks around it; Invalid when nothing is left, or far too much. */
export function mustBeProjectName(typed: string): string {
  const name = typed.trim();
  if (name === '') throw new ActionError('Invalid', 'A project needs a name.');
  if (name.length > longestName)
    throw new ActionError('Invalid', `The name of a project may have at most ${longestName} characters.`);
  return name;
}
