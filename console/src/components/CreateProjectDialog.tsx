import type { Id } from '@corral/contract';
import { useForm } from '@tanstack/react-form';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { enAccount } from '../copy/en-account.ts';
import { createProject } from '../data/mutations-projects.ts';
import { fieldProps } from '../ui/form/field-state.ts';
import { TextField } from '../ui/form/TextField.tsx';
import { FormDialog } from '../ui/overlay/FormDialog.tsx';
import { projectNameSchema } from './account-schemas.ts';

/** Creates a project of the user and goes to its devices. */
export function CreateProjectDialog({
  userId,
  open,
  onOpenChange,
}: {
  userId: Id<'user'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const router = useRouter();
  const [failure, setFailure] = useState<string>();
  const { mutateAsync } = useMutation(createProject);
  const form = useForm({
    defaultValues: { name: '' },
    onSubmit: async ({ value }) => {
      setFailure(undefined);
      try {
        const { projectId } = await mutateAsync({ name: value.name.trim(), owner: userId });
        onOpenChange(false);
        await router.navigate({ to: '/projects/$projectId', params: { projectId } });
      } catch (error) {
        setFailure(error instanceof Error ? error.message : String(error));
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
          title={enAccount.projects.create}
          description={enAccount.projects.createText}
          submitLabel={enAccount.projects.create}
          canSubmit={canSubmit}
          busy={isSubmitting}
          error={failure}
        >
          <form.Field name="name" validators={{ onMount: projectNameSchema, onChange: projectNameSchema }}>
            {(field) => (
              <TextField
                {...fieldProps(field)}
                label={enAccount.projects.name}
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
