import { useAppForm } from '../ui/form/app-form.tsx';
import { useFailure } from '../ui/form/use-failure.ts';
import { passwordChangeSchema } from './password-schema.ts';

const empty = { current: '', password: '', confirmation: '' };

/** The form of a new password, empty again after it was set; a change of either field validates both. */
export function NewPasswordForm({
  email = '',
  words,
  onSubmit,
}: {
  /** Whose password it is, if that is known; it may not be the password. */
  email?: string | undefined;
  words: {
    /** Of the field of the present password, where it is asked for. */
    readonly current?: { readonly label: string; readonly hint: string };
    readonly password: string;
    readonly confirmation: string;
    readonly hint?: string;
    readonly submit: string;
  };
  onSubmit: (password: string, current: string) => Promise<void>;
}) {
  const [failure, attempt, forget] = useFailure();
  const schema = passwordChangeSchema(email);
  const form = useAppForm({
    defaultValues: empty,
    validators: { onMount: schema, onChange: schema },
    listeners: { onChange: forget },
    onSubmit: ({ value, formApi }) =>
      attempt(async () => {
        await onSubmit(value.password, value.current);
        formApi.reset(empty);
        // The empty fields are not valid.
        void formApi.validate('mount');
      }),
  });
  return (
    <form.AppForm>
      <form.Frame failure={failure} submitLabel={words.submit}>
        {/* Tells password managers which account the password belongs to. */}
        {email !== '' && <input type="text" autoComplete="username" value={email} readOnly hidden />}
        {words.current !== undefined && (
          <form.AppField name="current">
            {(field) => (
              <field.Password
                label={words.current?.label}
                description={words.current?.hint}
                required={false}
                autoComplete="current-password"
              />
            )}
          </form.AppField>
        )}
        <form.AppField name="password">
          {(field) => <field.Password label={words.password} required autoComplete="new-password" />}
        </form.AppField>
        <form.AppField name="confirmation">
          {(field) => (
            <field.Password
              label={words.confirmation}
              required
              autoComplete="new-password"
              description={words.hint}
            />
          )}
        </form.AppField>
      </form.Frame>
    </form.AppForm>
  );
}
