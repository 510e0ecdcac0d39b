import type { Id } from '@corral/contract';
import { useForm } from '@tanstack/react-form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { nonEmpty, pipe, string, trim } from 'valibot';
import { enTokens } from '../../copy/en-project.ts';
import { createDeploymentToken } from '../../data/mutations-projects.ts';
import { fieldProps } from '../../ui/form/field-state.ts';
import { TextField } from '../../ui/form/TextField.tsx';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';

const nameSchema = pipe(string(), trim(), nonEmpty(enTokens.nameRequired));

/** Creates a deployment token with Auto Accept on; `onCreated` gets the secret, which nothing else keeps. */
export function CreateTokenDialog({
  projectId,
  open,
  onOpenChange,
  onCreated,
}: {
  projectId: Id<'project'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: (secret: string) => void;
}) {
  const [failure, setFailure] = useState<string>();
  const { mutateAsync, reset } = useMutation({ ...createDeploymentToken, gcTime: 0 });
  const form = useForm({
    defaultValues: { name: '' },
    onSubmit: async ({ value }) => {
      setFailure(undefined);
      try {
        const { token } = await mutateAsync({ projectId, name: value.name.trim() });
        onOpenChange(false);
        onCreated(token);
      } catch (error) {
        setFailure(error instanceof Error ? error.message : String(error));
      } finally {
        // The secret must not stay behind in the list of past mutations.
        reset();
      }
    },
  });
  return (
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
          title={enTokens.new}
          description={enTokens.text}
          submitLabel={enTokens.new}
          canSubmit={canSubmit}
          busy={isSubmitting}
          error={failure}
        >
          <form.Field name="name" validators={{ onMount: nameSchema, onChange: nameSchema }}>
            {(field) => (
              <TextField
                {...fieldProps(field)}
                label={enTokens.name}
                description={enTokens.nameHint}
                required
                autoComplete="off"
                disabled={isSubmitting}
              />
            )}
          </form.Field>
        </FormDialog>
      )}
    </form.Subscribe>
  );
}
