import { actionMutation, useRun } from '../../data/action-mutation.ts';
import { NewPasswordForm } from '../../parts/NewPasswordForm.tsx';
import { setPasswordCopy as words } from './copy.ts';

const setPasswordByLink = actionMutation('users_SetPasswordByLink', 'users_SetPassword');

/** Sets the password of whom a mailed link belongs to. The page does not know who that is; the hub also refuses the e-mail address as a password. */
export function LinkedPasswordForm({
  token,
  onResult,
}: {
  token: string;
  onResult: (result: 'Completed' | 'Failed') => void;
}) {
  const run = useRun();
  return (
    <NewPasswordForm
      words={{ ...words, submit: words.set }}
      onSubmit={async (password) => onResult((await run(setPasswordByLink, { token, password })).result)}
    />
  );
}
