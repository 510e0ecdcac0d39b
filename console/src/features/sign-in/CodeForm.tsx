import { useForm } from '@tanstack/react-form';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { completeSignIn } from '../../data/session.ts';
import { factorCopy } from '../../parts/second-factor/copy.ts';
import { Button } from '../../ui/action/Button.tsx';
import { TextField } from '../../ui/form/TextField.tsx';
import { useFailure } from '../../ui/form/use-failure.ts';
import { BusyOverlay } from '../../ui/overlay/BusyOverlay.tsx';
import { signInCopy as words } from './copy.ts';
import { SignInFailure } from './SignInFailure.tsx';

/** Takes a code of the authenticator, or a recovery code, and ends the sign-in with it. */
export function CodeForm({
  isRecovery,
  isEnrolling,
  onDone,
  others,
}: {
  isRecovery: boolean;
  isEnrolling: boolean;
  onDone: (recoveryCodes: readonly string[] | undefined) => Promise<void>;
  /** Leads to the other ways, below the button. */
  others: ReactNode;
}) {
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
  }, [failure]);
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    void form.handleSubmit();
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
                {isEnrolling ? factorCopy.finish : words.submit}
              </Button>
            </div>
          </BusyOverlay>
        )}
      </form.Subscribe>
      {others}
      <SignInFailure failure={failure} />
    </form>
  );
}
