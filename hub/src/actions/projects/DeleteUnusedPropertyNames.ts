import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { deleteSomeUnusedNames } from '../../store/property-names.ts';

/** Deletes those of the next listed names of properties that no device of their project has any more. */
export const DeleteUnusedPropertyNames: Handler<'projects_DeleteUnusedPropertyNames'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input: { afterName: after } }) {
    const { deletedNames, last } = await deleteSomeUnusedNames(
      tx,
      after && { projectId: ids.project.raw(after.projectId), name: after.name },
    );
    if (last === undefined) return { deletedNames };
    return { deletedNames, lastName: { projectId: ids.project.of(last.projectId), name: last.name } };
  },
};
