import { emailProblem, type Id } from '@corral/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { boolean, object, string } from 'valibot';
import { problemCopy } from '../../../copy/problems.ts';
import { terms } from '../../../copy/terms.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { follows } from '../../../parts/follows.ts';
import { IssuedLink, type IssuedLinkOf } from '../../../parts/IssuedLink.tsx';
import { orToast } from '../../../parts/or-toast.ts';
import { useIsMailConfigured } from '../../../parts/use-is-mail-configured.ts';
import { useDialogRoute } from '../../../parts/use-dialog-route.ts';
import { FieldsDialog } from '../../../ui/form/FieldsDialog.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { usersCopy as words } from './copy.ts';
import { createUser, issuePasswordLink } from './mutations.ts';

const schema = object({
  name: string(),
  email: follows(emailProblem, problemCopy),
  isAdmin: boolean(),
  sendPasswordLink: boolean(),
});

/** The dialog that creates a user, by default with a link to set a password, which is mailed, or shown where there is no mail server. */
export function NewUserDialog() {
  const run = useRun();
  const isMailConfigured = useIsMailConfigured();
  const dialog = useDialogRoute();
  const [link, setLink] = useState<IssuedLinkOf>();
  const [isStored, setIsStored] = useState(false);
  const leave = useEffectEvent(dialog.onClosed);
  // The open dialog would ask whether to leave.
  useEffect(() => {
    if (isStored) leave();
  }, [isStored]);
  const showLink = (userId: Id<'user'>, email: string): Promise<void> =>
    orToast(
      words.notIssued,
      run(issuePasswordLink, { userId }).then(({ url }) => setLink({ email, url })),
    );
  return (
    <>
      <FieldsDialog
        {...dialog}
        // The page of the dialog stays until the link was seen.
        onClosed={link === undefined ? dialog.onClosed : undefined}
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
            label: isMailConfigured ? words.sendLink : words.showLink,
            hint: isMailConfigured ? words.sendLinkHint : words.showLinkHint,
            initial: true,
          },
        }}
        schema={schema}
        onSubmit={async ({ name, email, isAdmin, sendPasswordLink: hasLink }) => {
          const isMailed = hasLink && isMailConfigured;
          const named = name.trim() === '' ? {} : { displayName: name };
          const input = { email, isAdmin, sendPasswordLink: isMailed, ...named };
          const answer = await run(createUser, input).catch((error: unknown) => {
            if (error instanceof Error && error.message.trim() !== '') throw error;
            throw new Error(words.createFailed, { cause: error });
          });
          if (answer.result !== 'Created') throw new Error(words.emailTaken);
          showToast(words.created(email.trim()), {
            tone: 'ok',
            ...(isMailed ? { text: words.linkSent(email.trim()) } : {}),
          });
          if (hasLink && !isMailed) await showLink(answer.userId, email.trim());
        }}
      />
      <IssuedLink
        {...words.issued}
        once
        link={link}
        onClose={() => {
          setLink(undefined);
          setIsStored(true);
        }}
      />
    </>
  );
}
