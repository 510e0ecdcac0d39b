import { ActionError, ids, type EventName, type Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { addMember, lockMember, removeMember, setRole } from './memberships.ts';
import type { Scope } from './shared-scope.ts';

type Change = readonly [name: EventName, data: Readonly<Record<string, Json>>];

/** What the groups of somebody at the provider ask for. */
interface Wanted {
  /** The raw id. */
  readonly userId: string;
  /** By the raw ids of projects, whether as an owner. */
  readonly projects: ReadonlyMap<string, boolean>;
  readonly now: Date;
}

/**
 * Gives a user the memberships that its groups at the provider ask for, takes away those that groups gave and no longer ask for, and returns the events of that. What people gave stays
 * as it is, and so does what the rules of memberships forbid to change: the last owner of a project, and one who may own no more.
 */
export async function followGroupsInProjects(tx: Database, wanted: Wanted): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const projectId of await lockChanging(tx, wanted))
    changes.push(...(await follow(tx, projectId, wanted)));
  return changes;
}

/** Locks the projects in which something may change, in one order for all; those that are deleted are left out. */
async function lockChanging(tx: Database, { userId, projects }: Wanted): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    select project_id from projects where project_id = any(${[...projects.keys()]}::text[] || array(
      select project_id from project_members where user_id = ${userId} and from_groups is not null))
    order by project_id for no key update`.execute(tx);
  return rows.map(({ project_id: projectId }) => projectId);
}

async function follow(tx: Database, id: string, { userId, projects, now }: Wanted): Promise<Change[]> {
  const scope = { kind: 'project', id } as const;
  const data = { projectId: ids.project.of(id), userId: ids.user.of(userId), fromGroups: true };
  const isOwner = projects.get(id);
  const member = await lockMember(tx, scope, userId);
  if (member === undefined)
    return isOwner === undefined ? [] : join(tx, scope, { userId, isOwner, now }, data);
  const { fromGroups } = member;
  if (isOwner === undefined && fromGroups === 'membership') {
    const isRemoved = await unlessRefused(() => removeMember(tx, scope, userId, 'removed'));
    return isRemoved === true ? [['projects_MemberRemoved', data]] : [];
  }
  const role = roleOf(member, isOwner ?? false);
  if (role === undefined) return [];
  const isChanged = await unlessRefused(() => setRole(tx, scope, { userId, ...role }));
  return isChanged === true ? [['projects_MemberRoleChanged', { ...data, isOwner: role.isOwner }]] : [];
}

/** The role that a member gets; undefined for the one it has. */
function roleOf(
  { isOwner: isOne, fromGroups }: { readonly isOwner: boolean; readonly fromGroups: string | null },
  isOwner: boolean,
) {
  if (isOne === isOwner || (fromGroups === null && !isOwner)) return undefined;
  if (fromGroups === 'membership') return { isOwner, fromGroups } as const;
  return { isOwner, fromGroups: isOwner ? 'ownership' : null } as const;
}

async function join(
  tx: Database,
  scope: Scope,
  { userId, isOwner, now }: { readonly userId: string; readonly isOwner: boolean; readonly now: Date },
  data: Readonly<Record<string, Json>>,
): Promise<Change[]> {
  const add = (as: boolean) => addMember(tx, scope, { userId, isOwner: as, fromGroups: 'membership' }, now);
  const asAsked = await unlessRefused(() => add(isOwner));
  const added = asAsked ?? (await add(false));
  if (added === undefined) return [];
  const changes: Change[] = [
    ['projects_MemberAdded', { ...data, isOwner: isOwner && asAsked !== undefined }],
  ];
  if (added.revoked === null) return changes;
  const { invitationId, email } = added.revoked;
  return [
    ...changes,
    [
      'projects_InvitationDeleted',
      { projectId: ids.project.of(scope.id), invitationId: ids.projectInvitation.of(invitationId), email },
    ],
    ['users_InvitationsChanged', { userId: ids.user.of(userId) }],
  ];
}

/** Undefined if the rules of memberships forbid it, which they say before anything is written. */
async function unlessRefused<Result>(change: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof ActionError && error.kind === 'Invalid') return undefined;
    throw error;
  }
}
