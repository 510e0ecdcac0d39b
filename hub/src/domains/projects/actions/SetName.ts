import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustBeName } from '../../../auth/names.ts';
import { mustOwnProject, type ProjectAccess } from '../policy/projects.ts';

/** Renames a project; the name is trimmed. */
export const SetName: Handler<'projects_SetName', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),

  async run({ tx, input, emit }, { projectId }) {
    const name = mustBeName(input.name, 'name');
    const named = await tx
      .updateTable('projects')
      .set({ name })
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    if (named.numUpdatedRows === 0n) throw notFound('Project');
    emit('projects_NameChanged', { projectId: input.projectId, name });
    return {};
  },
};
