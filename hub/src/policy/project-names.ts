import { ActionError } from '@corral/contract';

const longestName = 200;

/** The trimmed name of a project; Invalid when it is empty or longer than 200 characters. */
export function mustBeProjectName(typed: string): string {
  const name = typed.trim();
  if (name === '') throw new ActionError('Invalid', 'A project needs a name.');
  if (name.length > longestName)
    throw new ActionError('Invalid', `The name of a project may have at most ${longestName} characters.`);
  return name;
}
