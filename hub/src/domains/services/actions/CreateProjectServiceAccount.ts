import { ids } from '@corral/contract';
import { mustBeName } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';
import { sessionPrincipal } from '../../users/index.ts';
import { addServiceAccount } from '../sql/service-accounts.ts';

/** Makes a service account of a project. Its owners keep it, whoever of them made it. */
export const CreateProjectServiceAccount: Handler<'projects_CreateProjectServiceAccount', ProjectAccess> = {
  async authorize({ tx, actor, input }) {
    sessionPrincipal(actor);
    return mustOwnProject(tx, actor, input.projectId);
  },

  async run({ tx, input, now, emit }, { projectId }) {
    const name = mustBeName(input.name, 'name');
    const userId = ids.user.of(await addServiceAccount(tx, { kind: 'project', id: projectId }, name, now));
    emit('users_ServiceAccountCreated', { userId, name, projectId: input.projectId });
    return { userId };
  },
};
