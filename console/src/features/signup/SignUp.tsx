import type { Output } from '@corral/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { configQuery } from '../../data/queries-account.ts';
import { useIsMailConfigured } from '../../parts/use-is-mail-configured.ts';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { signUpCopy } from './copy.ts';
import { Activated } from './Activated.tsx';
import { ContinueAtProvider } from './ContinueAtProvider.tsx';
import { noteOwnRegistration } from './own-registrations.ts';
import { registerUser } from './registration.ts';
import { emptyRegistration, type Registration } from './registration-schema.ts';
import { SignUpForm } from './SignUpForm.tsx';
import { type RegistrationResult, SignUpOutcome } from './SignUpOutcome.tsx';

/** The invitation of a link, with the token that permits its address to sign up. */
export type LinkedInvitation = Extract<Output<'users_ResolveInvitation'>, { result: 'Found' }> & {
  readonly token: string;
};

/** Signing up: the form, then its outcome. With an invitation the address is that of the invitation. */
export function SignUp({ invitation }: { invitation?: LinkedInvitation | undefined }) {
  const isMailConfigured = useIsMailConfigured();
  const { providerName, prefersProvider } = useQuery(configQuery).data ?? {};
  const { mutateAsync } = useMutation(registerUser);
  const [typed, setTyped] = useState({ ...emptyRegistration, email: invitation?.email ?? '' });
  const [isAnotherEmail, setIsAnotherEmail] = useState(false);
  const [result, setResult] = useState<RegistrationResult | 'Joined'>();
  const invitationToken = invitation?.token;
  async function register(registration: Registration): Promise<void> {
    const { confirmation: _, ...rest } = registration;
    const input = { ...rest, displayName: rest.displayName.trim(), email: rest.email.trim() };
    const answer = await mutateAsync({ ...input, ...(invitationToken && { invitationToken }) });
    setTyped({ ...registration, email: input.email });
    if (answer.result !== 'EmailAlreadyExists' && answer.userId !== undefined)
      noteOwnRegistration(answer.userId);
    const isActive = answer.result === 'Created' && answer.status.tag === 'Completed';
    setResult(isActive ? 'Joined' : answer.result);
  }
  function startOver(): void {
    // Keeps the other input.
    setTyped({ ...typed, email: '' });
    setIsAnotherEmail(true);
    setResult(undefined);
  }
  if (result === 'Joined') return <Activated hasInvitations />;
  if (result !== undefined)
    return (
      <SignUpOutcome
        result={result}
        email={typed.email}
        invitationToken={invitationToken}
        onUseAnother={invitation === undefined ? startOver : undefined}
      />
    );
  const isByProvider = invitation !== undefined && providerName !== undefined;
  return (
    <>
      <h1 tabIndex={-1} className="mt-10 text-display">
        {signUpCopy.form.title}
      </h1>
      {invitation === undefined ? (
        <p className="mt-2 text-body text-ink2">
          {isMailConfigured ? signUpCopy.form.text : signUpCopy.withoutMail.formText}
        </p>
      ) : (
        <InvitedTo invitation={invitation} isMailConfigured={isMailConfigured} />
      )}
      {/* On large screens the panel beside the form says it. */}
      <p className="mt-1 text-body text-ink2 lg:hidden">{signUpCopy.form.accounts}</p>
      {isByProvider && (
        <>
          <ContinueAtProvider name={providerName} token={invitation.token} />
          <p className="mt-2 text-body text-ink2">{signUpCopy.invitation.byProvider}</p>
          {!prefersProvider && <p className="mt-6 text-body text-ink2">{signUpCopy.invitation.orPassword}</p>}
        </>
      )}
      {!(isByProvider && prefersProvider) && (
        <div className={isByProvider ? 'mt-4' : 'mt-8'}>
          <SignUpForm
            initial={typed}
            isAnotherEmail={isAnotherEmail}
            hasFixedEmail={invitation !== undefined}
            onRegister={register}
          />
        </div>
      )}
      <p className="mt-7 text-body text-ink2">
        {signUpCopy.form.hasAccount}{' '}
        <TextLink
          render={
            <Link to="/login" search={invitation === undefined ? {} : { redirect: '/user/invitations' }} />
          }
        >
          {signUpCopy.form.signIn}
        </TextLink>
      </p>
    </>
  );
}

function InvitedTo({
  invitation: { kind, name, invitedBy },
  isMailConfigured,
}: {
  invitation: LinkedInvitation;
  isMailConfigured: boolean;
}) {
  const { invitation: words } = signUpCopy;
  const inviter = invitedBy?.displayName ?? invitedBy?.email ?? words.somebody;
  return (
    <p className="mt-2 text-body wrap-anywhere text-ink2">
      {words.before(inviter, kind === 'Project' ? words.project : words.repository)}{' '}
      <strong className="font-head text-ink">{name}</strong>.{' '}
      {isMailConfigured ? words.after : words.afterWithoutMail}
    </p>
  );
}
