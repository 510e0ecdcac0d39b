import { ActionError } from '@corral/contract';
import { useForm } from '@tanstack/react-form';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { signUpCopy } from './copy.ts';
import { configQuery } from '../../data/queries-account.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { ErrorSummary } from '../../ui/form/ErrorSummary.tsx';
import { fieldMessage } from '../../ui/form/field-message.ts';
import { fieldProps } from '../../ui/form/field-state.ts';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { RequiredMark } from '../../ui/form/RequiredMark.tsx';
import { TextField } from '../../ui/form/TextField.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { BusyOverlay } from '../../ui/overlay/BusyOverlay.tsx';
import { useIsMailConfigured } from '../../parts/use-is-mail-configured.ts';
import { adoptAutofill } from '../../parts/adopt-autofill.ts';
import { type Registration, registrationSchema } from './registration-schema.ts';
import { useFailure } from '../../ui/form/use-failure.ts';

const { form: text } = signUpCopy;

interface TextFieldOfForm {
  readonly name: 'displayName' | 'email' | 'password' | 'confirmation';
  readonly label: string;
  readonly description?: string;
  readonly autoComplete: string;
  readonly isPassword?: true;
  readonly type?: 'email';
  readonly inputMode?: 'email';
  readonly autoCapitalize?: 'none';
  readonly spellCheck?: false;
}

const textFields = (): readonly TextFieldOfForm[] => [
  { name: 'displayName', label: text.displayName, autoComplete: 'name' },
  {
    name: 'email',
    label: text.email,
    autoComplete: 'email',
    type: 'email',
    inputMode: 'email',
    autoCapitalize: 'none',
    spellCheck: false,
  },
  {
    name: 'password',
    label: text.password,
    description: text.passwordHint,
    autoComplete: 'new-password',
    isPassword: true,
  },
  { name: 'confirmation', label: text.confirmation, autoComplete: 'new-password', isPassword: true },
];
const textFieldNames = ['displayName', 'email', 'password', 'confirmation'] as const;
const validatedNames = [...textFieldNames, 'consentedToTerms'] as const;

/**
 * The sign-up form. It stays busy until `onRegister` resolves; an error shows above the form. `isAnotherEmail` focuses the e-mail
 * field. After a submit with invalid fields, the errors are listed with links, and every invalid field shows its own.
 */
export function SignUpForm({
  initial,
  isAnotherEmail = false,
  hasFixedEmail = false,
  onRegister,
}: {
  initial: Registration;
  isAnotherEmail?: boolean | undefined;
  /** Whether the e-mail address is that of an invitation. */
  hasFixedEmail?: boolean | undefined;
  onRegister: (registration: Registration) => Promise<void>;
}) {
  const isMailConfigured = useIsMailConfigured();
  const [failure, attempt, forget] = useFailure();
  const [failedAttempts, setFailedAttempts] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [isRefused, setIsRefused] = useState(false);
  const register = (registration: Registration) =>
    attempt(async () => {
      try {
        await onRegister(registration);
      } catch (error) {
        setIsRefused(error instanceof ActionError && error.kind === 'Invalid');
        throw error;
      }
    });
  const form = useSignUpForm(initial, register, forget);
  useEffect(() => {
    if (failedAttempts > 0) summary.current?.focus();
  }, [failedAttempts]);
  useEffect(() => {
    if (failure !== undefined) box.current?.focus();
  }, [failure]);
  useEffect(() => {
    if (isAnotherEmail) focusField(element.current, 'email');
  }, [isAnotherEmail]);
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    forget();
    adoptAutofill(event.currentTarget, textFieldNames, (name, value) => form.setFieldValue(name, value));
    if (form.state.isValid) void form.handleSubmit();
    else setFailedAttempts(failedAttempts + 1);
  }
  // After a failed attempt every field shows its error, even untouched ones.
  const touched = failedAttempts > 0 ? { dirty: true, blurred: true } : {};
  return (
    <form ref={element} noValidate onSubmit={submit} className="flex flex-col gap-5">
      {failure !== undefined && (
        <Notice ref={box} tone="danger" title={text.errorTitle}>
          {/* What the hub refuses it refuses later, too, such as a password that it knows to be a common one. */}
          {!isRefused && <p>{text.errorText}</p>}
          <p>{failure}</p>
        </Notice>
      )}
      {failedAttempts > 0 && (
        <form.Subscribe selector={({ fieldMeta }) => errorsOf(fieldMeta)}>
          {(errors) =>
            errors.length > 0 && (
              <ErrorSummary
                ref={summary}
                title={text.summary(errors.length)}
                errors={errors}
                onSelect={(name) => focusField(element.current, name)}
              />
            )
          }
        </form.Subscribe>
      )}
      <form.Subscribe selector={({ isSubmitting }) => isSubmitting}>
        {(isSubmitting) => (
          <BusyOverlay busy={isSubmitting} label={text.submitting}>
            <div className="flex flex-col gap-5">
              {textFields().map(({ name, isPassword, ...props }) => (
                <form.Field key={name} name={name}>
                  {(field) => {
                    const Input = isPassword === true ? PasswordField : TextField;
                    return (
                      <Input
                        {...fieldProps(field)}
                        {...touched}
                        {...props}
                        {...(name === 'email' ? emailProps(isMailConfigured, hasFixedEmail) : {})}
                        required
                        disabled={isSubmitting}
                      />
                    );
                  }}
                </form.Field>
              ))}
              <ConsentFields form={form} touched={touched} isSubmitting={isSubmitting} />
              <Button type="submit" variant="primary" size="large" className="w-full" disabled={isSubmitting}>
                {text.submit}
              </Button>
            </div>
          </BusyOverlay>
        )}
      </form.Subscribe>
    </form>
  );
}

function emailProps(isMailConfigured: boolean, isFixed: boolean) {
  const hint = isMailConfigured ? text.emailHint : signUpCopy.withoutMail.emailHint;
  if (!isFixed) return { description: hint };
  const { fixed } = signUpCopy.invitation;
  return { readOnly: true, description: isMailConfigured ? `${fixed} ${hint}` : fixed };
}

function useSignUpForm(
  initial: Registration,
  onRegister: (registration: Registration) => Promise<void>,
  onEdit: () => void,
) {
  return useForm({
    defaultValues: initial,
    validators: { onMount: registrationSchema, onChange: registrationSchema },
    listeners: { onChange: onEdit },
    onSubmit: ({ value }) => onRegister(value),
  });
}

function ConsentFields({
  form,
  touched,
  isSubmitting,
}: {
  form: ReturnType<typeof useSignUpForm>;
  touched: { dirty?: boolean; blurred?: boolean };
  isSubmitting: boolean;
}) {
  return (
    <div className="flex flex-col gap-2.5">
      <form.Field name="consentedToTerms">
        {(field) => (
          <Checkbox
            label={<Consent text={<Terms />} required />}
            name={field.name}
            checked={field.state.value}
            onCheckedChange={field.handleChange}
            onBlur={field.handleBlur}
            dirty={field.state.meta.isDirty}
            blurred={field.state.meta.isBlurred}
            {...touched}
            valid={field.state.meta.isValid}
            error={field.state.meta.errors}
            required
            disabled={isSubmitting}
          />
        )}
      </form.Field>
      <form.Field name="consentedToMarketing">
        {(field) => (
          <Checkbox
            label={<Consent text={text.marketing} />}
            name={field.name}
            checked={field.state.value}
            onCheckedChange={field.handleChange}
            disabled={isSubmitting}
          />
        )}
      </form.Field>
    </div>
  );
}

function Consent({ text: sentence, required = false }: { text: ReactNode; required?: boolean }) {
  return (
    <>
      {sentence} <RequiredMark required={required} />
    </>
  );
}

function Terms() {
  const { data: config } = useQuery(configQuery);
  const { before, terms, and, privacy } = text.terms;
  return (
    <>
      {before} <Policy href={config?.termsUrl ?? '/terms'}>{terms}</Policy> {and}{' '}
      <Policy href={config?.privacyUrl ?? '/privacy'}>{privacy}</Policy>
    </>
  );
}

/** A link to a document; opens in a new tab, so that the form keeps its input. */
function Policy({ href, children }: { href: string; children: string }) {
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        className="rounded-control text-denim underline"
      >
        {children}
      </a>{' '}
      <span className="sr-only">{text.terms.newTab}</span>
    </>
  );
}

function errorsOf(fieldMeta: Readonly<Record<string, { errors: readonly unknown[] } | undefined>>) {
  return validatedNames.flatMap((name) => {
    const message = fieldMessage(fieldMeta[name]?.errors);
    return message === undefined ? [] : [{ name, message }];
  });
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const control = form?.elements.namedItem(name);
  if (control instanceof HTMLElement) control.focus();
}
