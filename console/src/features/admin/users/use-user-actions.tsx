import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { terms } from '../../../copy/terms.ts';
import { type Run, useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { useIsMailConfigured } from '../../../parts/use-is-mail-configured.ts';
import type { RowAction } from '../../../ui/table/columns.tsx';
import { usersCopy as words } from './copy.ts';
import { DeletionList } from './DeletionList.tsx';
import type { IssuedLinkOf } from './IssuedLink.tsx';
import {
  confirmEmail,
  deleteUser,
  issuePasswordLink,
  sendPasswordLink,
  setIsAdmin,
  setIsDisabled,
} from './mutations.ts';
import type { ListedUser } from './users-view.ts';

/** What an administrator can do to a user; `onLink` shows a link. The function keeps its identity while `onLink` does. */
export function useUserActions(
  ownId: Id<'user'>,
  onLink: (link: IssuedLinkOf) => void,
): (user: ListedUser) => readonly RowAction[] {
  const run = useRun();
  const navigate = useNavigate();
  const isMailConfigured = useIsMailConfigured();
  return useCallback(
    (user) => {
      const ownAccountReason = user.userId === ownId ? words.ownAccount : undefined;
      return [
        rightAction(run, user),
        ...(isMailConfigured ? [mailAction(run, user)] : []),
        linkAction(run, user, onLink),
        ...(user.isEmailUnconfirmed === true ? [confirmAction(run, user)] : []),
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
    [run, navigate, ownId, isMailConfigured, onLink],
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

function mailAction(run: Run, user: ListedUser): RowAction {
  const { email } = user;
  return {
    label: words.sendPasswordLink,
    onSelect: () =>
      void confirm({
        title: words.sendPasswordLinkTitle(email),
        text: words.sendPasswordLinkText,
        verb: words.send,
        tone: 'primary',
        action: () => run(sendPasswordLink, { userId: idOf(user) }),
        done: words.linkSent(email),
      }),
  };
}

/** Shows the link, which the administrator passes on. */
function linkAction(run: Run, user: ListedUser, onLink: (link: IssuedLinkOf) => void): RowAction {
  const { email } = user;
  return {
    label: words.issuePasswordLink,
    onSelect: () =>
      void confirm({
        title: words.issuePasswordLinkTitle(email),
        text: words.sendPasswordLinkText,
        verb: words.issue,
        tone: 'primary',
        action: async () => {
          const { url } = await run(issuePasswordLink, { userId: idOf(user) });
          onLink({ email, url });
        },
      }),
  };
}

function confirmAction(run: Run, user: ListedUser): RowAction {
  const { email } = user;
  return {
    label: words.confirmEmail,
    onSelect: () =>
      void confirm({
        title: words.confirmEmailTitle(email),
        text: words.confirmEmailText,
        verb: words.confirmEmail,
        tone: 'primary',
        action: () => run(confirmEmail, { userId: idOf(user) }),
        done: words.confirmedEmail(email),
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
