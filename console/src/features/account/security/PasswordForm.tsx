import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { securityCopy } from './copy.ts';
import { setPassword } from './mutations.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { userQuery } from '../../../data/queries-account.ts';
import { NewPasswordForm } from '../../../parts/NewPasswordForm.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';

/** Sets a new password of the user. */
export function PasswordForm({ userId }: { userId: Id<'user'> }) {
  const { data: user } = useQuery(userQuery(userId));
  const run = useRun();
  return (
    <NewPasswordForm
      email={user?.email}
      words={{
        current: { label: securityCopy.presentPassword, hint: securityCopy.presentPasswordHint },
        password: securityCopy.newPassword,
        confirmation: securityCopy.confirmation,
        hint: securityCopy.passwordText,
        submit: securityCopy.change,
      }}
      onSubmit={async (password, current) => {
        await run(setPassword, { userId, password, ...(current === '' ? {} : { currentPassword: current }) });
        showToast(securityCopy.changed, { text: securityCopy.changedText, tone: 'ok' });
      }}
    />
  );
}
