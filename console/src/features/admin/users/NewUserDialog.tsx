import { emailProblem } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { boolean, object, string } from 'valibot';
import { problemCopy } from '../../../copy/problems.ts';
import { terms } from '../../../copy/terms.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { partsCopy } from '../../../parts/copy.ts';
import { follows } from '../../../parts/follows.ts';
import { useIsMailConfigured } from '../../../parts/use-is-mail-configured.ts';
import { useDialogRoute } from '../../../parts/use-dialog-route.ts';
import { FieldsDialog } from '../../../ui/form/FieldsDialog.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { usersCopy as words } from './copy.ts';
import { createUser } from './mutations.ts';

const schema = object({
  name: string(),
  email: follows(emailProblem, problemCopy),
  isAdmin: boolean(),
  sendPasswordLink: boolean(),
});

function WithoutMail() {
  return (
    <>
      {words.sendLinkWithoutMail}{' '}
      <TextLink render={<Link to="/admin/settings" />}>{partsCopy.mail.set}</TextLink>
    </>
  );
}

/** The dialog that creates a user, by default with an e-mailed link to set a password where there is a mail server. */
export function NewUserDialog() {
  const run = useRun();
  const isMailConfigured = useIsMailConfigured();
  return (
    <FieldsDialog
      {...useDialogRoute()}
      draft="new user"
      title={words.newUser}
      description={words.newUserText}
      submitLabel={words.newUser}
      fields={{
        name: { label: terms.name, required: false },
        email: { label: words.email, type: 'email', required: true },
        isAdmin: { kind: 'checkbox', label: words.isAdmin, hint: words.isAdminHint },
        sendPasswordLink: {
          kind: 'checkbox',
          label: words.sendLink,
          hint: isMailConfigured ? words.sendLinkHint : <WithoutMail />,
          initial: isMailConfigured,
        },
      }}
      schema={schema}
      onSubmit={async ({ name, email, isAdmin, sendPasswordLink }) => {
        const named = name.trim() === '' ? {} : { displayName: name };
        const { result } = await run(createUser, { email, isAdmin, sendPasswordLink, ...named }).catch(
          (error: unknown) => {
            if (error instanceof Error && error.message.trim() !== '') throw error;
            throw new Error(words.createFailed, { cause: error });
          },
        );
        if (result !== 'Created') throw new Error(words.emailTaken);
        const sent = isMailConfigured ? words.linkSent : words.linkNotMailed;
        showToast(words.created(email.trim()), {
          tone: 'ok',
          ...(sendPasswordLink ? { text: sent(email.trim()) } : {}),
        });
      }}
    />
  );
}
