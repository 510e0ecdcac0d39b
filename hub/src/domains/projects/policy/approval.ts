import { ids, type Actor, type Input } from '@corral/contract';
import { sql } from 'kysely';
import { forbidden } from '../../../auth/actors.ts';
import type { Database } from '../../../platform/db/connect.ts';

type Policy = NonNullable<Input<'projects_SetPolicies'>['approval']>;

/** What may need a second person. */
export interface Approved {
  /** How many devices it acts on; without end where more may join. */
  readonly devices: number;
  readonly steps: readonly { readonly kind: string; readonly command?: string }[];
}

/** Whether the policy of a project, by its raw id, wants a second person for something. */
export async function needsApproval(tx: Database, projectId: string, what: Approved): Promise<boolean> {
  const { rows } = await sql<{ approval: Policy | null }>`
    select approval from projects where project_id = ${projectId}`.execute(tx);
  return isCovered(rows[0]?.approval ?? null, what);
}

/** Whether a policy wants a second person for something. */
export function isCovered(policy: Policy | null, { devices, steps }: Approved): boolean {
  if (policy === null) return false;
  const { aboveDevices, commands } = policy;
  if (aboveDevices !== undefined && devices > aboveDevices) return true;
  return steps.some(({ kind, command = '' }) => kind === 'DeviceCommand' && commands.includes(command));
}

/** Requires an owner who is another person than the creator, whatever token they use, where the policy of the project wants a second person; returns whether it does. */
export async function mustBeApproved(
  tx: Database,
  caller: { readonly projectId: string; readonly isOwner: boolean; readonly actor: Actor },
  creator: Actor,
  what: Approved,
): Promise<boolean> {
  const { projectId, isOwner, actor } = caller;
  if (!(await needsApproval(tx, projectId, what))) return false;
  // Whoever made its token may be the one who starts.
  if (await isServiceAccount(tx, creator))
    throw forbidden(
      'This needs a second person, and a service account created it. Create it yourself, and another owner starts it.',
    );
  if (isOwner && !isSamePerson(actor, creator)) return true;
  const who = whoMayStart(await readOwners(tx, projectId, creator));
  throw forbidden(
    `This needs a second person: another owner of the project than its creator starts it. ${who}`,
  );
}

async function isServiceAccount(tx: Database, actor: Actor): Promise<boolean> {
  if (!('userId' in actor)) return false;
  const { rows } =
    await sql`select 1 from users where user_id = ${ids.user.raw(actor.userId)} and is_service`.execute(tx);
  return rows.length > 0;
}

/** Whether two actors are one person; what nobody did is everybody's own. */
export function isSamePerson(one: Actor, other: Actor): boolean {
  return !('userId' in one && 'userId' in other) || one.userId === other.userId;
}

/** Says who may start something. */
export function whoMayStart(owners: readonly string[]): string {
  if (owners.length === 0) return 'The project has no such owner; an owner can add one.';
  return `${new Intl.ListFormat('en', { type: 'disjunction' }).format(owners)} may start it.`;
}

/** The names of owners of a project, by its raw id, at most five; not that of one person. */
export async function readOwners(tx: Database, projectId: string, except?: Actor): Promise<string[]> {
  const userId = except !== undefined && 'userId' in except ? ids.user.raw(except.userId) : null;
  const { rows } = await sql<{ name: string }>`
    select coalesce(u.display_name, u.email) as name from project_members m join users u using (user_id)
    where m.project_id = ${projectId} and m.is_owner and u.disabled_at is null and u.user_id is distinct from ${userId}
    order by 1 limit 5`.execute(tx);
  return rows.map(({ name }) => name);
}
