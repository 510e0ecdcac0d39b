import type { Id } from '@corral/contract';
import { useForm } from '@tanstack/react-form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { securityCopy } from './copy.ts';
import { terms } from '../../../copy/terms.ts';
import { setPassword } from './mutations.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { userQuery } from '../../../data/queries-account.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { fieldProps } from '../../../ui/form/field-state.ts';
import { PasswordField } from '../../../ui/form/PasswordField.tsx';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { passwordChangeSchema } from '../../../parts/password-schema.ts';
import { messageOf } from '../../../ui/form/message-of.ts';

const empty = { password: '', confirmation: '' };

/** Sets a new password; a change of either field validates both. */
export function PasswordForm({ userId }: { userId: Id<'user'> }) {
  const [failure, setFailure] = useState<string>();
  const { data: user } = useQuery(userQuery(userId));
  const run = useRun();
  const schema = passwordChangeSchema(user?.email ?? '');
  const form = useForm({
    defaultValues: empty,
    validators: { onMount: schema, onChange: schema },
    onSubmit: async ({ value, formApi }) => {
      setFailure(undefined);
      try {
        await run(setPassword, { userId, password: value.password });
        formApi.reset(empty);
        showToast(securityCopy.changed, { text: securityCopy.changedText, tone: 'ok' });
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
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <form.Field name="password">
        {(field) => (
          <PasswordField
            {...fieldProps(field)}
            label={securityCopy.newPassword}
            required
            autoComplete="new-password"
          />
        )}
      </form.Field>
      <form.Field name="confirmation">
        {(field) => (
          <PasswordField
            {...fieldProps(field)}
            label={securityCopy.confirmation}
            required
            autoComplete="new-password"
            description={securityCopy.passwordText}
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
              {securityCopy.change}
            </Button>
          </div>
        )}
      </form.Subscribe>
    </form>
  );
}
