import { nameProblem, type Id } from '@corral/contract';
import { useForm } from '@tanstack/react-form';
import { problemCopy } from '../../../copy/problems.ts';
import { terms } from '../../../copy/terms.ts';
import { profileCopy } from './copy.ts';
import { setDisplayName } from './mutations.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { fieldProps } from '../../../ui/form/field-state.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { follows } from '../../../parts/follows.ts';
import { useUndoableRun } from '../../../parts/use-undoable-run.ts';

const schema = follows((typed) => nameProblem(typed, 'displayName'), problemCopy);

/** Changes the user's display name optimistically, with Undo. */
export function DisplayNameForm({ userId, displayName }: { userId: Id<'user'>; displayName: string }) {
  const runUndoable = useUndoableRun();
  const form = useForm({
    defaultValues: { displayName },
    onSubmit: ({ value, formApi }) => {
      const typed = value.displayName.trim();
      // An empty former name cannot be restored: the hub rejects empty names.
      const inverse = displayName.trim() === '' ? undefined : { userId, displayName };
      const report = { inverse, done: profileCopy.saved, failed: profileCopy.notSaved };
      runUndoable(setDisplayName, { userId, displayName: typed }, report);
      formApi.reset({ displayName: typed });
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
      <form.Field name="displayName" validators={{ onMount: schema, onChange: schema }}>
        {(field) => (
          <TextField
            {...fieldProps(field)}
            label={profileCopy.name}
            required
            description={profileCopy.nameText}
            autoComplete="name"
          />
        )}
      </form.Field>
      <form.Subscribe selector={({ canSubmit }) => canSubmit}>
        {(canSubmit) => (
          <div>
            <Button type="submit" variant="primary" disabled={!canSubmit}>
              {terms.save}
            </Button>
          </div>
        )}
      </form.Subscribe>
    </form>
  );
}
