import { useForm } from '@tanstack/react-form';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { terms } from '../../copy/terms.ts';
import type { SignInStep } from '../../data/hub.ts';
import { completeSignIn } from '../../data/session.ts';
import { factorCopy } from '../../parts/second-factor/copy.ts';
import { NewAuthenticator } from '../../parts/second-factor/NewAuthenticator.tsx';
import { RecoveryCodes } from '../../parts/second-factor/RecoveryCodes.tsx';
import { Button } from '../../ui/action/Button.tsx';
import { TextField } from '../../ui/form/TextField.tsx';
import { useFailure } from '../../ui/form/use-failure.ts';
import { Notice } from '../../ui/layout/Notice.tsx';
import { BusyOverlay } from '../../ui/overlay/BusyOverlay.tsx';
import { signInCopy as words } from './copy.ts';

/** What a sign-in takes after the password: a code, or an authenticator that is set up here. The form stays busy until `onSignedIn` resolves. */
export function FactorStep({
  step,
  onSignedIn,
  onStartAgain,
}: {
  step: SignInStep;
  onSignedIn: () => Promise<void>;
  onStartAgain: () => void;
}) {
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  if (recoveryCodes !== undefined)
    return (
      <div className="flex flex-col gap-5">
        <h2 className="text-section">{factorCopy.codesTitle}</h2>
        <RecoveryCodes codes={recoveryCodes} />
        <Button variant="primary" size="large" className="w-full" onClick={onSignedIn}>
          {words.codesStored}
        </Button>
      </div>
    );
  return (
    <div className="flex flex-col gap-5">
      {step.wants === 'enrolment' && <NewAuthenticator {...step} />}
      <CodeForm
        isEnrolling={step.wants === 'enrolment'}
        onDone={async (codes) => (codes === undefined ? onSignedIn() : setRecoveryCodes(codes))}
        onStartAgain={onStartAgain}
      />
    </div>
  );
}

function CodeForm({
  isEnrolling,
  onDone,
  onStartAgain,
}: {
  isEnrolling: boolean;
  onDone: (recoveryCodes: readonly string[] | undefined) => Promise<void>;
  onStartAgain: () => void;
}) {
  const [isRecovery, setIsRecovery] = useState(false);
  const [failure, attempt, forget] = useFailure();
  const { mutateAsync } = useMutation(completeSignIn);
  const input = useRef<HTMLInputElement>(null);
  const form = useForm({
    defaultValues: { code: '' },
    listeners: { onChange: forget },
    onSubmit: ({ value: { code } }) =>
      attempt(async () => {
        if (code.trim() === '') return isRecovery ? factorCopy.recoveryMissing : factorCopy.codeMissing;
        await onDone((await mutateAsync({ code, isRecovery })).recoveryCodes);
        return undefined;
      }),
  });
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [isRecovery, failure]);
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    void form.handleSubmit();
  }
  function swap(): void {
    forget();
    form.reset();
    setIsRecovery(!isRecovery);
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <form.Subscribe selector={({ isSubmitting }) => isSubmitting}>
        {(isSubmitting) => (
          <BusyOverlay busy={isSubmitting} label={words.submitting}>
            <div className="flex flex-col gap-5">
              <form.Field name="code">
                {(field) => (
                  <TextField
                    ref={input}
                    name="code"
                    label={isRecovery ? factorCopy.recoveryCode : factorCopy.code}
                    description={isRecovery ? factorCopy.recoveryHint : factorCopy.codeHint}
                    value={field.state.value}
                    onValueChange={field.handleChange}
                    required
                    inputMode={isRecovery ? 'text' : 'numeric'}
                    autoComplete={isRecovery ? 'off' : 'one-time-code'}
                    autoCapitalize={isRecovery ? 'characters' : 'none'}
                    spellCheck={false}
                    disabled={isSubmitting}
                    dirty={false}
                    blurred={false}
                    valid={undefined}
                  />
                )}
              </form.Field>
              <Button type="submit" variant="primary" size="large" className="w-full" disabled={isSubmitting}>
                {isEnrolling ? words.finish : words.submit}
              </Button>
            </div>
          </BusyOverlay>
        )}
      </form.Subscribe>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {!isEnrolling && (
          <Button variant="quiet" onClick={swap}>
            {isRecovery ? factorCopy.useApp : factorCopy.useRecoveryCode}
          </Button>
        )}
        <Button variant="quiet" onClick={onStartAgain}>
          {words.startAgain}
        </Button>
      </div>
      <div className="min-h-22">
        {failure !== undefined && (
          <Notice tone="danger" title={terms.errorTitle}>
            {failure}
          </Notice>
        )}
      </div>
    </form>
  );
}
