import type { Internal } from '../../../calls/handler.ts';
import { deleteSomeUnusedNames, type ListedName, type NameDeletionStep } from '../sql/property-names.ts';

/** Deletes those of the next listed names of properties that no device of their project has any more; the first step is given no name. */
export const DeleteUnusedPropertyNames: Internal<{ after: ListedName | undefined }, NameDeletionStep> = {
  name: 'projects_DeleteUnusedPropertyNames',
  run: ({ tx, input: { after } }) => deleteSomeUnusedNames(tx, after),
};
