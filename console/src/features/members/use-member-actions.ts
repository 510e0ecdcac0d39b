import type { Id } from '@corral/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Run, useRun } from '../../data/action-mutation.ts';
import { guardLeaving } from '../../data/deletion-guard.ts';
import { confirm } from '../../parts/confirm.ts';
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
  const owners = members.filter(({ isOwner }) => isOwner).length;
  const { isOwner, membership, userId } = context;
  return (member) => {
    const lastOwnerReason = member.isOwner && owners === 1 ? words.lastOwner : undefined;
    const notOwnerReason = isOwner ? undefined : words.ownersOnly(membership.kind);
    const isSelf = member.userId === userId;
    const role: RowAction = member.isOwner
      ? {
          label: words.makeMember,
          name: words.demoteName(memberName(member)),
          disabledReason: notOwnerReason ?? lastOwnerReason,
          onSelect: () => changeRole(run, context, member),
        }
      : {
          label: words.makeOwner,
          name: words.promoteName(memberName(member)),
          disabledReason: notOwnerReason,
          onSelect: () => changeRole(run, context, member),
        };
    const leave = (): void =>
      leaveScope(context, () =>
        guardLeaving(client, membership.id, async () => {
          await membership.remove(run, userId);
          await navigate({ to: membership.kind === 'project' ? '/projects' : '/repositories' });
        }),
      );
    const end: RowAction = isSelf
      ? { label: words.leave, disabledReason: lastOwnerReason, onSelect: leave }
      : {
          label: words.remove,
          name: words.removeTitle(memberName(member)),
          disabledReason: notOwnerReason,
          onSelect: () => remove(run, context, member, lastOwnerReason === undefined ? undefined : userId),
        };
    return [role, end];
  };
}

function changeRole(run: Run, { membership, userId }: MembersContext, member: Member): void {
  const name = memberName(member);
  const isOwner = !member.isOwner;
  const text = isOwner ? words.promoteText(membership.kind) : words.demoteText(membership.kind);
  void confirm({
    title: isOwner ? words.promoteTitle(name) : words.demoteTitle(name),
    text: !isOwner && member.userId === userId ? `${text} ${words.demoteSelf}` : text,
    verb: isOwner ? words.makeOwner : words.makeMember,
    tone: isOwner ? 'primary' : 'danger',
    action: () => membership.setOwner(run, member.userId, isOwner),
    done: isOwner ? words.promoted(name) : words.demoted(name),
  });
}

/** Who may remove the last owner without being it is an administrator, who then takes the place. */
function remove(run: Run, { membership }: MembersContext, member: Member, newOwner?: Id<'user'>): void {
  const name = memberName(member);
  const text = words.removeText[membership.kind];
  void confirm({
    title: words.removeTitle(name),
    text: newOwner === undefined ? text : `${words.takeOver(membership.kind)} ${text}`,
    verb: words.remove,
    action: () => membership.remove(run, member.userId, newOwner),
    done: words.removed(name),
  });
}

function leaveScope({ membership, name }: MembersContext, leave: () => Promise<void>): void {
  void confirm({
    title: words.leaveTitle(name),
    text: words.leaveText[membership.kind],
    verb: words.leave,
    action: leave,
    done: words.left(name),
  });
}
