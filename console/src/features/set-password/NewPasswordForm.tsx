import { useForm } from '@tanstack/react-form';
import { useState } from 'react';
import { terms } from '../../copy/terms.ts';
import { actionMutation, useRun } from '../../data/action-mutation.ts';
import { passwordChangeSchema } from '../../parts/password-schema.ts';
import { Button } from '../../ui/action/Button.tsx';
import { fieldProps } from '../../ui/form/field-state.ts';
import { messageOf } from '../../ui/form/message-of.ts';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { setPasswordCopy as words } from './copy.ts';

const setPasswordByLink = actionMutation('users_SetPasswordByLink', 'users_SetPassword');
// The page does not know whose link it is; the hub also refuses the e-mail address as a password.
const schema = passwordChangeSchema('');

/** The form of a new password; a change of either field validates both. */
export function NewPasswordForm({
  token,
  onResult,
}: {
  token: string;
  onResult: (result: 'Completed' | 'Failed') => void;
}) {
  const [failure, setFailure] = useState<string>();
  const run = useRun();
  const form = useForm({
    defaultValues: { password: '', confirmation: '' },
    validators: { onMount: schema, onChange: schema },
    onSubmit: async ({ value }) => {
      setFailure(undefined);
      try {
        onResult((await run(setPasswordByLink, { token, password: value.password })).result);
      } catch (error) {
        setFailure(messageOf(error));
      }
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.handleSubmit();
      }}
      className="flex flex-col gap-4"
    >
      {failure !== undefined && (
        <Notice tone="danger" title={terms.errorTitle}>
          {failure}
        </Notice>
      )}
      <form.Field name="password">
        {(field) => (
          <PasswordField {...fieldProps(field)} label={words.password} required autoComplete="new-password" />
        )}
      </form.Field>
      <form.Field name="confirmation">
        {(field) => (
          <PasswordField
            {...fieldProps(field)}
            label={words.confirmation}
            required
            autoComplete="new-password"
          />
        )}
      </form.Field>
      <form.Subscribe selector={({ canSubmit, isSubmitting }) => ({ canSubmit, isSubmitting })}>
        {({ canSubmit, isSubmitting }) => (
          <div>
            <Button
              type="submit"
              variant="primary"
              disabled={!canSubmit && !isSubmitting}
              loading={isSubmitting}
            >
              {words.set}
            </Button>
          </div>
        )}
      </form.Subscribe>
    </form>
  );
}
