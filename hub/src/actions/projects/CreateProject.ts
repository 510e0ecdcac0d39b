import { ActionError, ids } from '@corral/contract';
import { newRawId } from '../../auth/random.ts';
import type { Handler } from '../../executor/handler.ts';
import { forbidden, isAdministrator, mustBePerson } from '../../policy/actors.ts';

/** Creates a project; only an administrator names another owner than itself. */
export const CreateProject: Handler<'projects_CreateProject', { readonly ownerId: string }> = {
  async authorize({ tx, actor, input }) {
    if (actor.actor === 'System' && input.owner !== undefined) return { ownerId: ids.user.raw(input.owner) };
    const person = mustBePerson(actor);
    if (input.owner === undefined || input.owner === person.userId)
      return { ownerId: ids.user.raw(person.userId) };
    if (!(await isAdministrator(tx, actor)))
      throw forbidden('Only administrators may create a project for somebody else.');
    return { ownerId: ids.user.raw(input.owner) };
  },

  async run({ tx, input, now, emit }, { ownerId }) {
    const name = input.name.trim();
    if (name === '') throw new ActionError('Invalid', 'A project needs a name.');
    if (name.length > 200)
      throw new ActionError('Invalid', 'The name of a project may have at most 200 characters.');
    const owner = await tx
      .selectFrom('users')
      .select('user_id')
      .where('user_id', '=', ownerId)
      .executeTakeFirst();
    if (owner === undefined) throw new ActionError('Invalid', 'User not found.');
    const rawId = newRawId();
    await tx.insertInto('projects').values({ project_id: rawId, name, created_at: now }).execute();
    await tx
      .insertInto('project_members')
      .values({ project_id: rawId, user_id: ownerId, is_owner: true, added_at: now })
      .execute();
    const projectId = ids.project.of(rawId);
    emit('projects_Created', { projectId, name });
    emit('projects_MemberAdded', { projectId, userId: ids.user.of(ownerId), isOwner: true });
    return { result: 'Created', projectId };
  },
};
