import { ids, type Actor, type Id } from '@corral/contract';
import { newRawId } from '../src/auth/random.ts';
import { system, type FreshExecutor } from './fresh-executor.ts';
import { justProved } from './just-proved.ts';
import { seedUser, type Somebody } from './seed.ts';

/** The kinds of scopes that people are invited to. */
export const scopeKinds = ['project', 'repository'] as const;

/** A project or a repository with an owner, and its actions without their names. */
export interface InviteScope {
  readonly kind: (typeof scopeKinds)[number];
  readonly id: string;
  readonly owner: Somebody;
  readonly ownerEmail: string;
  invite(actor: Actor, email: string): Promise<string>;
  /** The error of an invitation that must be refused. */
  refusedInvite(actor: Actor, email: string): Promise<{ kind: string; message: string }>;
  /** Runs an action on an invitation. */
  on(actor: Actor, verb: InvitationVerb, invitationId: string): Promise<unknown>;
  refusedOn(
    actor: Actor,
    verb: InvitationVerb,
    invitationId: string,
  ): Promise<{ kind: string; message: string }>;
  link(actor: Actor, invitationId: string): Promise<string>;
  pending(actor: Actor): Promise<readonly Record<string, unknown>[]>;
  received(actor: Somebody): Promise<readonly Record<string, unknown>[]>;
  members(): Promise<{ userId: string; isOwner: boolean }[]>;
  addMember(userId: string, isOwner?: boolean): Promise<unknown>;
  setOwner(actor: Actor, userId: string, isOwner: boolean): Promise<unknown>;
  remove(actor: Actor, userId: string, newOwner?: string): Promise<unknown>;
  destroy(): Promise<unknown>;
}

/** What may be done to an invitation. */
export type InvitationVerb = 'Resend' | 'Delete' | 'Accept' | 'Decline' | 'Link';

const names = {
  project: { domain: 'projects', noun: 'Project', field: 'projectId' },
  repository: { domain: 'repositories', noun: 'Repository', field: 'repositoryId' },
} as const;

/** Makes a project or a repository with a new owner. */
export async function createInviteScope(hub: FreshExecutor, kind: InviteScope['kind']): Promise<InviteScope> {
  const { domain, noun, field } = names[kind];
  const ownerEmail = newAddress();
  const owner = await seedUser(hub, ownerEmail);
  const run = (actor: Actor, action: string, input: object): Promise<Record<string, never>> =>
    hub.executor.execute(
      { actor, origin: { ip: '127.0.0.1', ...justProved } },
      action,
      input,
    ) as Promise<never>;
  const made = await run(owner, `${domain}_Create${noun}`, { name: `thing-${newRawId()}` });
  const of = { [field]: made[field] };
  const refused = async (call: Promise<unknown>) => {
    const error: unknown = await call.then(
      (answer) => new Error(`was not refused: ${JSON.stringify(answer)}`),
      (reason: unknown) => reason,
    );
    const { kind: errorKind, message } = error as { kind: string; message: string };
    return { kind: errorKind, message };
  };
  const actionOf = (verb: InvitationVerb): string => {
    if (verb === 'Accept' || verb === 'Decline') return `users_${verb}${noun}Invitation`;
    return verb === 'Link' ? `${domain}_Issue${noun}InvitationLink` : `${domain}_${verb}${noun}Invitation`;
  };
  const on = (actor: Actor, verb: InvitationVerb, invitationId: string) =>
    run(actor, actionOf(verb), { invitationId });
  const invite = (actor: Actor, email: string) =>
    run(actor, `${domain}_Invite${noun}Member`, { ...of, email });
  return {
    kind,
    id: String(made[field]),
    owner,
    ownerEmail,
    on,
    invite: async (actor, email) => String((await invite(actor, email))['invitationId']),
    refusedInvite: (actor, email) => refused(invite(actor, email)),
    refusedOn: (actor, verb, invitationId) => refused(on(actor, verb, invitationId)),
    link: async (actor, invitationId) => String((await on(actor, 'Link', invitationId))['url']),
    pending: async (actor) =>
      (await run(actor, `${domain}_Query${noun}Invitations`, of))['invitations'] ?? [],
    received: async (actor) =>
      (await run(actor, `users_QueryUser${noun}Invitations`, { userId: actor.userId }))['invitations'] ?? [],
    async members() {
      const answer = await run(owner, `${domain}_Query${noun}Members`, of);
      return Object.values(answer)[0] ?? [];
    },
    addMember: (userId, isOwner = false) =>
      run(system, `${domain}_Add${noun}Member`, { ...of, userId, isOwner }),
    setOwner: (actor, userId, isOwner) =>
      run(actor, `${domain}_Set${noun}MemberRole`, { ...of, userId, isOwner }),
    remove: (actor, userId, newOwner) =>
      run(actor, `${domain}_Remove${noun}Member`, {
        ...of,
        userId,
        ...(newOwner === undefined ? {} : { newOwner }),
      }),
    destroy: () => run(owner, `${domain}_Delete${noun}`, of),
  };
}

/** An address that nobody has. */
export function newAddress(): string {
  return `${newRawId().toLowerCase()}@example.org`;
}

/** An id of an invitation that does not exist. */
export function absentInvitation(
  kind: InviteScope['kind'],
): Id<'projectInvitation'> | Id<'repositoryInvitation'> {
  return kind === 'project' ? ids.projectInvitation.of(newRawId()) : ids.repositoryInvitation.of(newRawId());
}
