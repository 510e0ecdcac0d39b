import { type Id, nameProblem } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { object, pipe, trim } from 'valibot';
import { problemCopy } from '../../copy/problems.ts';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { savedViewsQuery } from '../../data/queries-projects.ts';
import { follows } from '../../parts/follows.ts';
import { submitUndoable } from '../../parts/undoable.ts';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { devicesCopy } from './copy.ts';
import type { DevicesSearch } from './device-view.ts';
import { saveView } from './mutations.ts';
import { savedViewOf } from './saved-views.ts';

const words = devicesCopy.views;
const schema = object({
  name: pipe(
    follows((typed) => nameProblem(typed, 'viewName'), problemCopy),
    trim(),
  ),
});

/** Saves the current view of the list under a name. Before it replaces a view of the same name, the dialog asks to save again; with Undo. */
export function SaveViewDialog({
  projectId,
  search,
  open,
  onOpenChange,
}: {
  projectId: Id<'project'>;
  search: DevicesSearch;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const run = useRun();
  const { data } = useQuery({ ...savedViewsQuery(projectId), enabled: open });
  const warnedOf = useRef<string>(undefined);
  async function save(name: string): Promise<void> {
    const former = data?.views.find((view) => view.name === name);
    if (former !== undefined && warnedOf.current !== name) {
      warnedOf.current = name;
      throw new Error(words.taken(name));
    }
    await submitUndoable(
      run,
      saveView,
      { projectId, name, ...savedViewOf(search) },
      {
        inverse: former && { projectId, ...former },
        done: (former === undefined ? words.saved : words.replaced)(name),
        failed: words.notSaved,
      },
    );
  }
  return (
    <FieldsDialog
      {...{ open, onOpenChange, schema }}
      title={words.saveTitle}
      description={words.saveText}
      size="small"
      submitLabel={terms.save}
      fields={{ name: { label: terms.name, required: true } }}
      onSubmit={({ name }) => save(name)}
      onClosed={() => (warnedOf.current = undefined)}
    />
  );
}
