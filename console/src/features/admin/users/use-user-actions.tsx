import type { Id } from '@corral/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { terms } from '../../../copy/terms.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { messageOf } from '../../../ui/form/message-of.ts';
import { showToast } from '../../../ui/overlay/toast.ts';
import type { RowAction } from '../../../ui/table/columns.tsx';
import { usersCopy as words } from './copy.ts';
import { DeletionList } from './DeletionList.tsx';
import { deleteUser, sendPasswordLink, setIsAdmin, setIsDisabled } from './mutations.ts';
import { type ListedUser, userDeletionQuery } from './users-view.ts';

/** What an administrator can do to a user; the function keeps its identity. */
export function useUserActions(ownId: Id<'user'>): (user: ListedUser) => readonly RowAction[] {
  const run = useRun();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useCallback(
    (user) => {
      const { userId, email, isDisabled = false } = user;
      const id = userId as Id<'user'>;
      const notSelf = userId === ownId ? words.notSelf : undefined;
      async function askToDelete(): Promise<void> {
        try {
          const deletion = await client.fetchQuery({ ...userDeletionQuery(userId), staleTime: 0 });
          if (deletion.refusal !== undefined)
            return void showToast(words.notDeletable(email), { tone: 'danger', text: deletion.refusal });
          void confirm({
            title: words.deleteTitle(email),
            text: <DeletionList deletion={deletion} />,
            verb: terms.delete,
            typedName: email,
            action: () => run(deleteUser, { userId: id }),
            done: words.deleted(email),
          });
        } catch (error) {
          showToast(words.notDeletable(email), { tone: 'danger', text: messageOf(error) });
        }
      }
      return [
        user.isAdmin
          ? {
              label: words.withdrawAdmin,
              onSelect: () =>
                void confirm({
                  title: words.withdrawAdminTitle(email),
                  text: words.withdrawAdminText,
                  verb: words.withdrawAdmin,
                  action: () => run(setIsAdmin, { userId: id, isAdmin: false }),
                  done: words.withdrawnAdmin(email),
                }),
            }
          : {
              label: words.makeAdmin,
              onSelect: () =>
                void confirm({
                  title: words.makeAdminTitle(email),
                  text: words.makeAdminText,
                  verb: words.makeAdmin,
                  tone: 'primary',
                  action: () => run(setIsAdmin, { userId: id, isAdmin: true }),
                  done: words.madeAdmin(email),
                }),
            },
        {
          label: words.sendPasswordLink,
          onSelect: () =>
            void confirm({
              title: words.sendPasswordLinkTitle(email),
              text: words.sendPasswordLinkText,
              verb: words.send,
              tone: 'primary',
              action: () => run(sendPasswordLink, { userId: id }),
              done: words.linkSent(email),
            }),
        },
        {
          label: words.showLog,
          onSelect: () => void navigate({ to: '/admin/log', search: { actor: `User:${userId}` } }),
        },
        isDisabled
          ? {
              label: words.enable,
              onSelect: () =>
                void confirm({
                  title: words.enableTitle(email),
                  text: words.enableText,
                  verb: words.enable,
                  tone: 'primary',
                  action: () => run(setIsDisabled, { userId: id, isDisabled: false }),
                  done: words.enabledDone(email),
                }),
            }
          : {
              label: words.disable,
              tone: 'danger',
              disabledReason: notSelf,
              onSelect: () =>
                void confirm({
                  title: words.disableTitle(email),
                  text: words.disableText,
                  verb: words.disable,
                  action: () => run(setIsDisabled, { userId: id, isDisabled: true }),
                  done: words.disabledDone(email),
                }),
            },
        {
          label: terms.delete,
          tone: 'danger',
          disabledReason: notSelf,
          onSelect: () => void askToDelete(),
        },
      ];
    },
    [run, client, navigate, ownId],
  );
}
