import { sql } from 'kysely';
import { ActionError, type Json } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnProject, type ProjectAccess } from '../policy/projects.ts';

/** Says which operations of a project need a second person; the event has what was said before. */
export const SetPolicies: Handler<'projects_SetPolicies', ProjectAccess> = {
  async authorize(context) {
    const access = await mustOwnProject(context.tx, context.actor, context.input.projectId);
    mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, input, emit }, { projectId }) {
    const { approval } = input;
    if (approval !== undefined && approval.aboveDevices === undefined && approval.commands.length === 0)
      throw new ActionError(
        'Invalid',
        'Say above how many devices, or for which commands, a second person is needed.',
      );
    const { rows } = await sql<{ before: Json }>`
      update projects p set approval = ${approval === undefined ? null : JSON.stringify(approval)}::jsonb
      from (select approval from projects where project_id = ${projectId} for no key update) as o
      where p.project_id = ${projectId} returning o.approval as before`.execute(tx);
    if (rows[0] === undefined) throw notFound('Project');
    emit('projects_PoliciesChanged', {
      projectId: input.projectId,
      approval: (approval ?? null) as Json,
      before: rows[0].before,
    });
    return {};
  },
};
