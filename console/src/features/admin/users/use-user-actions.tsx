import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { terms } from '../../../copy/terms.ts';
import { type Run, useRun } from '../../../data/action-mutation.ts';
import { askFirst } from '../../../parts/ask-first.ts';
import type { IssuedLinkOf } from '../../../parts/IssuedLink.tsx';
import { useIsMailConfigured } from '../../../parts/use-is-mail-configured.ts';
import type { RowAction } from '../../../ui/table/columns.tsx';
import { usersCopy as words } from './copy.ts';
import { DeletionList } from './DeletionList.tsx';
import {
  confirmEmail,
  deleteUser,
  issuePasswordLink,
  removeSecondFactors,
  sendPasswordLink,
  setIsAdmin,
  setIsDisabled,
} from './mutations.ts';
import { idOf, type ListedUser } from './users-view.ts';

/** What an administrator can do to a user; `onLink` shows a link, `onSignIns` the sign-ins of a user. The function keeps its identity while these do. */
export function useUserActions(
  ownId: Id<'user'>,
  onLink: (link: IssuedLinkOf) => void,
  onSignIns: (user: ListedUser) => void,
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
        ...(user.hasSecondFactor === true && user.userId !== ownId ? [factorAction(run, user)] : []),
        ...(user.isEmailUnconfirmed === true ? [confirmAction(run, user)] : []),
        { label: words.showSignIns, isNavigation: true, onSelect: () => onSignIns(user) },
        {
          label: words.showLog,
          isNavigation: true,
          onSelect: () => void navigate({ to: '/admin/log', search: { actor: `User:${user.userId}` } }),
        },
        stateAction(run, user, ownAccountReason),
        deleteAction(run, user, ownAccountReason),
      ];
    },
    [run, navigate, ownId, isMailConfigured, onLink, onSignIns],
  );
}

function rightAction(run: Run, user: ListedUser): RowAction {
  const { email, isAdmin } = user;
  return askFirst({
    label: isAdmin ? words.withdrawAdmin : words.makeAdmin,
    title: (isAdmin ? words.withdrawAdminTitle : words.makeAdminTitle)(email),
    text: isAdmin ? words.withdrawAdminText : words.makeAdminText,
    tone: isAdmin ? 'danger' : 'primary',
    action: () => run(setIsAdmin, { ...idOf(user), isAdmin: !isAdmin }),
    done: (isAdmin ? words.withdrawnAdmin : words.madeAdmin)(email),
  });
}

function mailAction(run: Run, user: ListedUser): RowAction {
  const { email } = user;
  return askFirst({
    label: words.sendPasswordLink,
    title: words.sendPasswordLinkTitle(email),
    text: words.sendPasswordLinkText,
    verb: words.send,
    tone: 'primary',
    action: () => run(sendPasswordLink, idOf(user)),
    done: words.linkSent(email),
  });
}

/** Shows the link, which the administrator passes on. */
function linkAction(run: Run, user: ListedUser, onLink: (link: IssuedLinkOf) => void): RowAction {
  const { email } = user;
  return askFirst({
    label: words.issuePasswordLink,
    title: words.issuePasswordLinkTitle(email),
    text: words.sendPasswordLinkText,
    verb: words.issue,
    tone: 'primary',
    action: async () => onLink({ email, ...(await run(issuePasswordLink, idOf(user))) }),
  });
}

function confirmAction(run: Run, user: ListedUser): RowAction {
  const { email } = user;
  return askFirst({
    label: words.confirmEmail,
    title: words.confirmEmailTitle(email),
    text: words.confirmEmailText,
    tone: 'primary',
    action: () => run(confirmEmail, idOf(user)),
    done: words.confirmedEmail(email),
  });
}

function factorAction(run: Run, user: ListedUser): RowAction {
  const { email } = user;
  return askFirst({
    label: words.removeFactors,
    title: words.removeFactorsTitle(email),
    text: words.removeFactorsText,
    verb: words.remove,
    action: () => run(removeSecondFactors, idOf(user)),
    done: words.removedFactors(email),
  });
}

function stateAction(run: Run, user: ListedUser, ownAccountReason: string | undefined): RowAction {
  const { email, isDisabled = false } = user;
  return askFirst({
    label: isDisabled ? words.enable : words.disable,
    isDangerous: !isDisabled,
    disabledReason: isDisabled ? undefined : ownAccountReason,
    title: (isDisabled ? words.enableTitle : words.disableTitle)(email),
    text: isDisabled ? words.enableText : words.disableText,
    tone: isDisabled ? 'primary' : 'danger',
    action: () => run(setIsDisabled, { ...idOf(user), isDisabled: !isDisabled }),
    done: (isDisabled ? words.enabledDone : words.disabledDone)(email),
  });
}

/** Asks with the list of what goes, or with why the hub would refuse. */
function deleteAction(run: Run, user: ListedUser, disabledReason: string | undefined): RowAction {
  const { email } = user;
  return askFirst({
    label: terms.delete,
    isDangerous: true,
    disabledReason,
    title: words.deleteTitle(email),
    text: <DeletionList {...idOf(user)} />,
    typedName: email,
    action: () => run(deleteUser, idOf(user)),
    done: words.deleted(email),
  });
}
