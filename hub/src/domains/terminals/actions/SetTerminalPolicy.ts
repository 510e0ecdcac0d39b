import { type Json, defaultTerminalPolicy } from '@corral/contract';
import { sql } from 'kysely';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';

/** Says who may open terminals, and how; the event has what was said before. */
export const SetTerminalPolicy: Handler<'projects_SetTerminalPolicy', ProjectAccess> = {
  async authorize(context) {
    const access = await mustOwnProject(context.tx, context.actor, context.input.projectId);
    mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, input, emit }, { projectId }) {
    const { projectId: publicId, ...policy } = input;
    const { rows } = await sql<{ before: Json | null }>`
      update projects p set terminal_policy = ${JSON.stringify(policy)}::jsonb
      from (select terminal_policy from projects where project_id = ${projectId} for no key update) as o
      where p.project_id = ${projectId} returning o.terminal_policy as before`.execute(tx);
    if (rows[0] === undefined) throw notFound('Project');
    const before = rows[0].before ?? defaultTerminalPolicy;
    emit('projects_TerminalPolicyChanged', { projectId: publicId, policy, before });
    return {};
  },
};
