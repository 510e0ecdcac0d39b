import { versionFieldsProblem } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustHaveNoProblem } from '../../../auth/input-problems.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnProject, type ProjectAccess } from '../policy/projects.ts';

/** Names the fields that are the versions of a project's devices. */
export const SetVersionFields: Handler<'projects_SetVersionFields', ProjectAccess> = {
  async authorize({ tx, actor, input }) {
    const access = await mustOwnProject(tx, actor, input.projectId);
    const isOneEach = input.fields.every((field) => /^\S+$/u.test(field));
    mustHaveNoProblem(isOneEach ? versionFieldsProblem(input.fields.join(' ')) : 'versionFieldInvalid');
    return access;
  },

  async run({ tx, input, emit }, { projectId }) {
    const fields = [...new Set(input.fields)];
    const changed = await tx
      .updateTable('projects')
      .set({ version_fields: fields.length === 0 ? null : fields })
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw notFound('Project');
    emit('projects_VersionFieldsChanged', { projectId: input.projectId, fields });
    return {};
  },
};
