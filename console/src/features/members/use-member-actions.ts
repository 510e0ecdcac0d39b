import type { Id } from '@corral/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Run, useRun } from '../../data/action-mutation.ts';
import { guardLeaving } from '../../data/deletion-guard.ts';
import { askFirst } from '../../parts/ask-first.ts';
import type { RowAction } from '../../ui/table/columns.tsx';
import { membersCopy as words } from './copy.ts';
import { memberName } from './member-columns.tsx';
import type { Member, Membership } from './membership.ts';

/** Who looks at the members, and of what. */
export interface MembersContext {
  readonly membership: Membership;
  /** The name of the project or the repository. */
  readonly name: string;
  readonly userId: Id<'user'>;
  /** Whether the user may change who is a member. */
  readonly isOwner: boolean;
}

/** The actions on a member: owners change roles and remove, and everybody may leave. The last owner stays until another is named, or an administrator takes the place. */
export function useMemberActions(
  context: MembersContext,
  members: readonly Member[],
): (member: Member) => readonly RowAction[] {
  const run = useRun();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { isOwner, membership, userId } = context;
  const owners = members.filter((member) => member.isOwner).length;
  const notOwnerReason = isOwner ? undefined : words.ownersOnly(membership.kind);
  const leave = () =>
    guardLeaving(client, membership.id, async () => {
      await membership.remove(run, userId);
      await navigate({ to: membership.kind === 'project' ? '/projects' : '/repositories' });
    });
  return (member) => {
    const lastOwnerReason = member.isOwner && owners === 1 ? words.lastOwner : undefined;
    return [
      roleAction(run, context, member, notOwnerReason ?? lastOwnerReason),
      member.userId === userId
        ? leaveAction(context, lastOwnerReason, leave)
        : removeAction(
            run,
            context,
            member,
            notOwnerReason,
            lastOwnerReason === undefined ? undefined : userId,
          ),
    ];
  };
}

function roleAction(
  run: Run,
  { membership: { kind, setOwner }, userId }: MembersContext,
  member: Member,
  disabledReason: string | undefined,
): RowAction {
  const name = memberName(member);
  const isOwner = !member.isOwner;
  const text = isOwner ? words.promoteText(kind) : words.demoteText(kind);
  return askFirst({
    label: isOwner ? words.makeOwner : words.makeMember,
    name: isOwner ? words.promoteName(name) : words.demoteName(name),
    disabledReason,
    title: isOwner ? words.promoteTitle(name) : words.demoteTitle(name),
    text: !isOwner && member.userId === userId ? `${text} ${words.demoteSelf}` : text,
    tone: isOwner ? 'primary' : 'danger',
    action: () => setOwner(run, member.userId, isOwner),
    done: isOwner ? words.promoted(name) : words.demoted(name),
  });
}

/** Who may remove the last owner without being it is an administrator, who then takes the place. */
function removeAction(
  run: Run,
  { membership: { kind, remove } }: MembersContext,
  member: Member,
  disabledReason: string | undefined,
  newOwner: Id<'user'> | undefined,
): RowAction {
  const name = memberName(member);
  const text = words.removeText[kind];
  return askFirst({
    label: words.remove,
    disabledReason,
    title: words.removeTitle(name),
    text: newOwner === undefined ? text : `${words.takeOver(kind)} ${text}`,
    action: () => remove(run, member.userId, newOwner),
    done: words.removed(name),
  });
}

function leaveAction(
  { membership, name }: MembersContext,
  disabledReason: string | undefined,
  action: () => Promise<void>,
): RowAction {
  return askFirst({
    label: words.leave,
    name: words.leave,
    disabledReason,
    title: words.leaveTitle(name),
    text: words.leaveText[membership.kind],
    action,
    done: words.left(name),
  });
}
