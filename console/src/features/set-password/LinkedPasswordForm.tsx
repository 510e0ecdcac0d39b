import { actionMutation, useRun } from '../../data/action-mutation.ts';
import { NewPasswordForm } from '../../parts/NewPasswordForm.tsx';
import { setPasswordCopy as words } from './copy.ts';

const setPasswordByLink = actionMutation('users_SetPasswordByLink', 'users_SetPassword');

/** Sets the password of whom a link belongs to. */
export function LinkedPasswordForm({
  token,
  email,
  onResult,
}: {
  token: string;
  email: string;
  onResult: (result: 'Completed' | 'Failed') => void;
}) {
  const run = useRun();
  return (
    <NewPasswordForm
      email={email}
      words={{ ...words, submit: words.set }}
      onSubmit={async (password) => onResult((await run(setPasswordByLink, { token, password })).result)}
    />
  );
}
