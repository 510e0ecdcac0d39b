import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ClosedSignUp } from '../../../components/signup/ClosedSignUp.tsx';
import { emptyRegistration, type Registration } from '../../../components/signup/registration-schema.ts';
import { SignUpForm } from '../../../components/signup/SignUpForm.tsx';
import { type RegistrationResult, SignUpOutcome } from '../../../components/signup/SignUpOutcome.tsx';
import { enSignUp } from '../../../copy/en-signup.ts';
import { configQuery } from '../../../data/queries-account.ts';
import { registerUser } from '../../../data/registration.ts';
import { TextLink } from '../../../ui/text/TextLink.tsx';

export const Route = createFileRoute('/_public/signup/')({ component: SignUp });

function SignUp() {
  const { data: config } = useQuery(configQuery);
  return config?.isRegistrationOpen === false ? <ClosedSignUp /> : <OpenSignUp />;
}

function OpenSignUp() {
  const { mutateAsync } = useMutation(registerUser);
  const [typed, setTyped] = useState(emptyRegistration);
  const [isAnotherEmail, setIsAnotherEmail] = useState(false);
  const [result, setResult] = useState<RegistrationResult>();
  async function register(registration: Registration): Promise<void> {
    const { confirmation: _, ...rest } = registration;
    const input = { ...rest, displayName: rest.displayName.trim(), email: rest.email.trim() };
    const answer = await mutateAsync(input);
    setTyped({ ...registration, email: input.email });
    setResult(answer.result);
  }
  function startOver(): void {
    // Keeps the other input.
    setTyped({ ...typed, email: '' });
    setIsAnotherEmail(true);
    setResult(undefined);
  }
  if (result !== undefined)
    return <SignUpOutcome result={result} email={typed.email} onUseAnother={startOver} />;
  return (
    <>
      <h1 tabIndex={-1} className="mt-10 text-display">
        {enSignUp.form.title}
      </h1>
      <p className="mt-2 text-body text-ink2">{enSignUp.form.text}</p>
      {/* On large screens the panel beside the form says it. */}
      <p className="mt-1 text-body text-ink2 lg:hidden">{enSignUp.form.accounts}</p>
      <div className="mt-8">
        <SignUpForm initial={typed} isAnotherEmail={isAnotherEmail} onRegister={register} />
      </div>
      <p className="mt-7 text-body text-ink2">
        {enSignUp.form.hasAccount} <TextLink render={<Link to="/login" />}>{enSignUp.form.signIn}</TextLink>
      </p>
    </>
  );
}
