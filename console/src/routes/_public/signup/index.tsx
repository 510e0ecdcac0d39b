import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { signUpCopy } from '../../../features/signup/copy.ts';
import { ClosedSignUp } from '../../../features/signup/ClosedSignUp.tsx';
import { emptyRegistration, type Registration } from '../../../features/signup/registration-schema.ts';
import { SignUpForm } from '../../../features/signup/SignUpForm.tsx';
import { type RegistrationResult, SignUpOutcome } from '../../../features/signup/SignUpOutcome.tsx';
import { configQuery } from '../../../data/queries-account.ts';
import { registerUser } from '../../../features/signup/registration.ts';
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
        {signUpCopy.form.title}
      </h1>
      <p className="mt-2 text-body text-ink2">{signUpCopy.form.text}</p>
      {/* On large screens the panel beside the form says it. */}
      <p className="mt-1 text-body text-ink2 lg:hidden">{signUpCopy.form.accounts}</p>
      <div className="mt-8">
        <SignUpForm initial={typed} isAnotherEmail={isAnotherEmail} onRegister={register} />
      </div>
      <p className="mt-7 text-body text-ink2">
        {signUpCopy.form.hasAccount}{' '}
        <TextLink render={<Link to="/login" />}>{signUpCopy.form.signIn}</TextLink>
      </p>
    </>
  );
}
