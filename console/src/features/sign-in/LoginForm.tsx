import { useForm } from '@tanstack/react-form';
import { useMutation } from '@tanstack/react-query';
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { signInCopy } from './copy.ts';
import { terms } from '../../copy/terms.ts';
import type { SignInStep } from '../../data/hub.ts';
import { signIn } from '../../data/session.ts';
import { usePasskeysHere } from '../../parts/passkey/use-passkeys-here.ts';
import { useLazyModule } from '../../parts/use-lazy-module.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { fieldProps } from '../../ui/form/field-state.ts';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { RequiredMark } from '../../ui/form/RequiredMark.tsx';
import { TextField } from '../../ui/form/TextField.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { BusyOverlay } from '../../ui/overlay/BusyOverlay.tsx';
import { loginValidators } from './login-validators.ts';
import { useAutofill } from './use-autofill.ts';
import { useFailure } from '../../ui/form/use-failure.ts';

const textFields = ['email', 'password'] as const;

interface LoginFormProps {
  readonly email?: string | undefined;
  readonly aside?: ReactNode;
  readonly footer?: ReactNode;
  /** What a sign-in still takes that has begun elsewhere. */
  readonly firstStep?: SignInStep | undefined;
  readonly onSignedIn: () => Promise<void>;
  /** Called when the password was right and more is asked for, and when the sign-in starts again. */
  readonly onStep?: (wants: SignInStep['wants'] | undefined) => void;
}

const loadPasskeyButton = async () => {
  const { PasskeyButton } = await import('./PasskeyButton.tsx');
  return (props: ComponentProps<typeof PasskeyButton>) => <PasskeyButton {...props} />;
};

const loadFactorStep = async () => {
  const { FactorStep } = await import('./FactorStep.tsx');
  return (props: ComponentProps<typeof FactorStep>) => <FactorStep {...props} />;
};

/**
 * Signs in with e-mail address and password. The form stays busy until `onSignedIn` resolves. `aside` is rendered beside "Remember
 * me". With a `footer` after the button, why a sign-in failed is below that, in room that is kept for it, so that nothing moves.
 */
export function LoginForm(props: LoginFormProps) {
  const [step, setStep] = useState(props.firstStep);
  const renderStep = useLazyModule(loadFactorStep, step !== undefined);
  function take(next: SignInStep | undefined): void {
    setStep(next);
    props.onStep?.(next?.wants);
  }
  if (step === undefined) return <PasswordStep {...props} onWanted={take} />;
  return renderStep?.({ step, onSignedIn: props.onSignedIn, onStartAgain: () => take(undefined) });
}

function PasswordStep({
  email = '',
  aside,
  footer,
  onSignedIn,
  onWanted,
}: LoginFormProps & { onWanted: (step: SignInStep) => void }) {
  const element = useRef<HTMLFormElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const { form, failure, attempt } = useLoginForm(email, onSignedIn, onWanted);
  const renderPasskeyButton = useLazyModule(loadPasskeyButton, usePasskeysHere());
  const { isAutofilled, adopt, onInput } = useAutofill(element, textFields, (name, value) =>
    form.setFieldValue(name, value),
  );
  usePasswordFocus(passwordInput, failure, email !== '');
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    adopt();
    void form.handleSubmit();
  }
  const notice = failure !== undefined && (
    <Notice tone="danger" title={terms.errorTitle}>
      {failure}
    </Notice>
  );
  return (
    <form ref={element} noValidate onSubmit={submit} onInput={onInput} className="flex flex-col gap-5">
      {footer === undefined && notice}
      <form.Subscribe selector={({ isSubmitting }) => isSubmitting}>
        {(isSubmitting) => (
          <BusyOverlay busy={isSubmitting} label={signInCopy.submitting}>
            <div className="flex flex-col gap-5">
              <form.Field
                name="email"
                validators={{ onMount: loginValidators.email, onChange: loginValidators.email }}
              >
                {(field) => (
                  <TextField
                    {...fieldProps(field)}
                    label={signInCopy.email}
                    required
                    type="email"
                    inputMode="email"
                    autoComplete="username"
                    autoCapitalize="none"
                    spellCheck={false}
                    disabled={isSubmitting}
                  />
                )}
              </form.Field>
              <form.Field
                name="password"
                validators={{ onMount: loginValidators.password, onChange: loginValidators.password }}
              >
                {(field) => (
                  <PasswordField
                    {...fieldProps(field)}
                    ref={passwordInput}
                    label={signInCopy.password}
                    required
                    autoComplete="current-password"
                    disabled={isSubmitting}
                  />
                )}
              </form.Field>
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <form.Field name="rememberMe">
                  {(field) => (
                    <Checkbox
                      label={<RememberMe />}
                      name={field.name}
                      checked={field.state.value}
                      onCheckedChange={field.handleChange}
                      disabled={isSubmitting}
                    />
                  )}
                </form.Field>
                {aside}
              </div>
              <form.Subscribe selector={({ canSubmit }) => canSubmit}>
                {(canSubmit) => <SubmitButton disabled={isSubmitting || !(canSubmit || isAutofilled)} />}
              </form.Subscribe>
            </div>
          </BusyOverlay>
        )}
      </form.Subscribe>
      {renderPasskeyButton?.({
        attempt,
        isRemembered: () => form.state.values.rememberMe,
        onSignedIn,
      })}
      {footer !== undefined && (
        <>
          {footer}
          <div className="min-h-22">{notice}</div>
        </>
      )}
    </form>
  );
}

function SubmitButton({ disabled }: { disabled: boolean }) {
  return (
    <Button type="submit" variant="primary" size="large" className="w-full" disabled={disabled}>
      {signInCopy.submit}
    </Button>
  );
}

function RememberMe() {
  return (
    <>
      {signInCopy.rememberMe} <RequiredMark required={false} />
    </>
  );
}

/** Focuses the password at first if only that is missing, and after each failure. */
function usePasswordFocus(
  input: RefObject<HTMLInputElement | null>,
  failure: string | undefined,
  isAddressKnown: boolean,
): void {
  // The inputs are disabled while the form is busy, so they are focused only afterwards.
  useEffect(() => {
    if (failure === undefined) return;
    input.current?.focus();
    input.current?.select();
  }, [input, failure]);
  // If the address is known, only the password is missing.
  useEffect(() => {
    if (isAddressKnown) input.current?.focus();
  }, [input, isAddressKnown]);
}

function useLoginForm(email: string, onSignedIn: () => Promise<void>, onWanted: (step: SignInStep) => void) {
  const [failure, attempt, forget] = useFailure();
  const { mutateAsync } = useMutation(signIn);
  const form = useForm({
    defaultValues: { email, password: '', rememberMe: false },
    listeners: { onChange: forget },
    onSubmit: ({ value: { email: typed, password, rememberMe: remember } }) =>
      attempt(async () => {
        const result = await mutateAsync({ email: typed.trim(), password, remember });
        if (result === 'WrongCredentials') return signInCopy.wrongCredentials;
        if (result === 'SignedIn') await onSignedIn();
        else onWanted(result);
        return undefined;
      }),
  });
  return { form, failure, attempt };
}
