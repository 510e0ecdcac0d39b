import type { Id } from '@corral/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { actionMutation } from '../../data/action-mutation.ts';
import { userQuery } from '../../data/queries-account.ts';
import { useIsMailConfigured } from '../../parts/use-is-mail-configured.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { invitationsCopy as words } from './copy.ts';

const sendPasswordLink = actionMutation('users_SendPasswordLink', 'users_PasswordLinkSent');

/** Says which invitations an account with an unconfirmed address receives, and how it is confirmed. */
export function UnconfirmedNotice({ userId }: { userId: Id<'user'> }) {
  const { data: user } = useQuery(userQuery(userId));
  const isMailConfigured = useIsMailConfigured();
  const { mutate, isPending, error } = useMutation(sendPasswordLink);
  if (user?.isEmailUnconfirmed !== true) return null;
  const send = () =>
    mutate({ userId }, { onSuccess: () => showToast(words.linkMailed(user.email), { tone: 'ok' }) });
  return (
    <Notice
      tone="warn"
      title={words.unconfirmed}
      actions={
        isMailConfigured && (
          <Button isWrite loading={isPending} onClick={send}>
            {words.mailLink}
          </Button>
        )
      }
    >
      <p>{words.unconfirmedText}</p>
      {isMailConfigured && <p>{words.confirmByMail}</p>}
      {error !== null && <p className="text-danger">{error.message}</p>}
    </Notice>
  );
}
