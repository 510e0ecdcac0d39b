import type { Id } from '@corral/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { terms } from '../../../copy/terms.ts';
import { type Run, useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { partsCopy } from '../../../parts/copy.ts';
import { useIsMailConfigured } from '../../../parts/use-is-mail-configured.ts';
import { showToast } from '../../../ui/overlay/toast.ts';
import type { RowAction } from '../../../ui/table/columns.tsx';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { usersCopy as words } from './copy.ts';
import { DeletionList } from './DeletionList.tsx';
import { deleteUser, sendPasswordLink, setIsAdmin, setIsDisabled } from './mutations.ts';
import type { ListedUser } from './users-view.ts';

/** What an administrator can do to a user; the function keeps its identity. */
export function useUserActions(ownId: Id<'user'>): (user: ListedUser) => readonly RowAction[] {
  const run = useRun();
  const navigate = useNavigate();
  const isMailConfigured = useIsMailConfigured();
  return useCallback(
    (user) => {
      const ownAccountReason = user.userId === ownId ? words.ownAccount : undefined;
      return [
        rightAction(run, user),
        linkAction(run, user, isMailConfigured),
        {
          label: words.showLog,
          isNavigation: true,
          onSelect: () => void navigate({ to: '/admin/log', search: { actor: `User:${user.userId}` } }),
        },
        stateAction(run, user, ownAccountReason),
        {
          label: terms.delete,
          tone: 'danger',
          disabledReason: ownAccountReason,
          onSelect: () => askToDelete(run, user),
        },
      ];
    },
    [run, navigate, ownId, isMailConfigured],
  );
}

const idOf = ({ userId }: ListedUser) => userId as Id<'user'>;

function rightAction(run: Run, user: ListedUser): RowAction {
  const { email, isAdmin } = user;
  return {
    label: isAdmin ? words.withdrawAdmin : words.makeAdmin,
    onSelect: () =>
      void confirm({
        title: (isAdmin ? words.withdrawAdminTitle : words.makeAdminTitle)(email),
        text: isAdmin ? words.withdrawAdminText : words.makeAdminText,
        verb: isAdmin ? words.withdrawAdmin : words.makeAdmin,
        tone: isAdmin ? 'danger' : 'primary',
        action: () => run(setIsAdmin, { userId: idOf(user), isAdmin: !isAdmin }),
        done: (isAdmin ? words.withdrawnAdmin : words.madeAdmin)(email),
      }),
  };
}

function linkAction(run: Run, user: ListedUser, isMailConfigured: boolean): RowAction {
  const { email } = user;
  const withoutMail = (
    <>
      {words.sendLinkWithoutMail}{' '}
      <TextLink render={<Link to="/admin/settings" />}>{partsCopy.mail.set}</TextLink>
    </>
  );
  return {
    label: words.sendPasswordLink,
    onSelect: () =>
      void confirm({
        title: words.sendPasswordLinkTitle(email),
        text: isMailConfigured ? words.sendPasswordLinkText : withoutMail,
        verb: words.send,
        tone: 'primary',
        action: async () => {
          await run(sendPasswordLink, { userId: idOf(user) });
          if (isMailConfigured) showToast(words.linkSent(email), { tone: 'ok' });
          else showToast(words.linkNotMailed(email), { text: words.linkNotMailedText });
        },
      }),
  };
}

function stateAction(run: Run, user: ListedUser, ownAccountReason: string | undefined): RowAction {
  const { email, isDisabled = false } = user;
  return {
    label: isDisabled ? words.enable : words.disable,
    ...(isDisabled ? {} : { tone: 'danger', disabledReason: ownAccountReason }),
    onSelect: () =>
      void confirm({
        title: (isDisabled ? words.enableTitle : words.disableTitle)(email),
        text: isDisabled ? words.enableText : words.disableText,
        verb: isDisabled ? words.enable : words.disable,
        tone: isDisabled ? 'primary' : 'danger',
        action: () => run(setIsDisabled, { userId: idOf(user), isDisabled: !isDisabled }),
        done: (isDisabled ? words.enabledDone : words.disabledDone)(email),
      }),
  };
}

/** Asks with the list of what goes, or with why the hub would refuse. */
function askToDelete(run: Run, user: ListedUser): void {
  const { email } = user;
  const userId = idOf(user);
  void confirm({
    title: words.deleteTitle(email),
    text: <DeletionList userId={userId} />,
    verb: terms.delete,
    typedName: email,
    action: () => run(deleteUser, { userId }),
    done: words.deleted(email),
  });
}
