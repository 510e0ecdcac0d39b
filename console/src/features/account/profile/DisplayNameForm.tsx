import { nameProblem, type Id } from '@corral/contract';
import { problemCopy } from '../../../copy/problems.ts';
import { terms } from '../../../copy/terms.ts';
import { profileCopy } from './copy.ts';
import { setDisplayName } from './mutations.ts';
import { useAppForm } from '../../../ui/form/app-form.tsx';
import { follows } from '../../../parts/follows.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { runUndoable } from '../../../parts/undoable.ts';

const schema = follows((typed) => nameProblem(typed, 'displayName'), problemCopy);

/** Changes the user's display name optimistically, with Undo. */
export function DisplayNameForm({ userId, displayName }: { userId: Id<'user'>; displayName: string }) {
  const run = useRun();
  const form = useAppForm({
    defaultValues: { displayName },
    onSubmit: ({ value, formApi }) => {
      const typed = value.displayName.trim();
      // An empty former name cannot be restored: the hub rejects empty names.
      const inverse = displayName.trim() === '' ? undefined : { userId, displayName };
      runUndoable(
        run,
        setDisplayName,
        { userId, displayName: typed },
        {
          inverse,
          done: profileCopy.saved,
          failed: profileCopy.notSaved,
          // What was typed stays, to be corrected, although the shown name is the former one again.
          onFailed: () => {
            if (!formApi.state.isTouched) formApi.setFieldValue('displayName', value.displayName);
          },
        },
      );
      formApi.reset({ displayName: typed });
    },
  });
  return (
    <form.AppForm>
      <form.Frame submitLabel={terms.save}>
        <form.AppField name="displayName" validators={{ onMount: schema, onChange: schema }}>
          {(field) => (
            <field.Text
              label={profileCopy.name}
              required
              description={profileCopy.nameText}
              autoComplete="name"
            />
          )}
        </form.AppField>
      </form.Frame>
    </form.AppForm>
  );
}
