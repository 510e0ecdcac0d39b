import type { Id } from '@corral/contract';
import { useForm } from '@tanstack/react-form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { enAccount } from '../copy/en-account.ts';
import { createUserToken } from '../data/mutations-account.ts';
import { fieldProps } from '../ui/form/field-state.ts';
import { TextField } from '../ui/form/TextField.tsx';
import { FormDialog } from '../ui/overlay/FormDialog.tsx';
import { SecretDialog } from '../ui/overlay/SecretDialog.tsx';
import { tokenNameSchema } from './account-schemas.ts';

/** Creates an API token and shows its secret, once. */
export function CreateUserTokenDialog({
  userId,
  open,
  onOpenChange,
}: {
  userId: Id<'user'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const [secret, setSecret] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const { mutateAsync, reset } = useMutation({ ...createUserToken, gcTime: 0 });
  const form = useForm({
    defaultValues: { name: '' },
    onSubmit: async ({ value }) => {
      setFailure(undefined);
      try {
        const { token } = await mutateAsync({ userId, name: value.name.trim() });
        onOpenChange(false);
        setSecret(token);
      } catch (error) {
        setFailure(error instanceof Error ? error.message : String(error));
      } finally {
        // The secret must not stay behind in the list of past mutations.
        reset();
      }
    },
  });
  return (
    <>
      <form.Subscribe selector={({ canSubmit, isSubmitting }) => ({ canSubmit, isSubmitting })}>
        {({ canSubmit, isSubmitting }) => (
          <FormDialog
            open={open}
            onOpenChange={onOpenChange}
            onReset={() => {
              form.reset();
              setFailure(undefined);
            }}
            onSubmit={() => void form.handleSubmit()}
            title={enAccount.security.newToken}
            description={enAccount.security.tokensText}
            submitLabel={enAccount.security.newToken}
            canSubmit={canSubmit}
            busy={isSubmitting}
            error={failure}
          >
            <form.Field name="name" validators={{ onMount: tokenNameSchema, onChange: tokenNameSchema }}>
              {(field) => (
                <TextField
                  {...fieldProps(field)}
                  label={enAccount.security.tokenName}
                  description={enAccount.security.tokenNameHint}
                  required
                  autoComplete="off"
                  disabled={isSubmitting}
                />
              )}
            </form.Field>
          </FormDialog>
        )}
      </form.Subscribe>
      <SecretDialog
        title={enAccount.security.tokenCreated}
        secret={secret}
        what={enAccount.security.tokenSecret}
        variable="CORRAL_TOKEN"
        onStored={() => setSecret(undefined)}
      />
    </>
  );
}
