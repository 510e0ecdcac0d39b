import { useForm } from '@tanstack/react-form';
import { useMemo, useState } from 'react';
import { fieldProps } from '../ui/form/field-state.ts';
import { TextField } from '../ui/form/TextField.tsx';
import { FormDialog } from '../ui/overlay/FormDialog.tsx';
import { nonBlank } from './non-blank.ts';
import { messageOf } from '../ui/form/message-of.ts';

/**
 * A dialog that asks for the name of a new entity. `onName` gets the trimmed name and closes the dialog itself; if it throws, the
 * dialog stays open and shows the error. `words.required` is the message for an empty name.
 */
export function NameDialog({
  open,
  onOpenChange,
  onName,
  words,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onName: (name: string) => Promise<void>;
  /** `title` is also the label of the submit button; `hint` describes the field. */
  words: { title: string; text: string; name: string; hint?: string; required: string };
}) {
  const [failure, setFailure] = useState<string>();
  const form = useForm({
    defaultValues: { name: '' },
    onSubmit: async ({ value }) => {
      setFailure(undefined);
      try {
        await onName(value.name.trim());
      } catch (error) {
        setFailure(messageOf(error));
      }
    },
  });
  const schema = useMemo(() => nonBlank(words.required), [words.required]);
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
          title={words.title}
          description={words.text}
          submitLabel={words.title}
          canSubmit={canSubmit}
          busy={isSubmitting}
          error={failure}
        >
          <form.Field name="name" validators={{ onMount: schema, onChange: schema }}>
            {(field) => (
              <TextField
                {...fieldProps(field)}
                label={words.name}
                description={words.hint}
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
