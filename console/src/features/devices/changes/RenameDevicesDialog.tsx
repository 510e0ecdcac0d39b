import type { Id } from '@corral/contract';
import { useState } from 'react';
import type { DialogTarget } from '../../../parts/use-dialog-target.ts';
import { useDraft, useDraftOnClosing } from '../../../ui/form/drafts.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { ChangeDialog } from './ChangeDialog.tsx';
import type { SelectedDevices } from './changes.ts';
import { changesCopy } from './copy.ts';

/** Renames devices by a pattern. */
export function RenameDevicesDialog({
  projectId,
  dialog: { target, isOpen, close },
}: {
  projectId: Id<'project'>;
  dialog: DialogTarget<SelectedDevices>;
}) {
  const draft = useDraft(`rename devices ${projectId}`);
  const [pattern, setPattern] = useState(() => String(draft.read()?.['pattern'] ?? ''));
  useDraftOnClosing(draft, isOpen, () => (pattern === '' ? {} : { pattern }));
  if (target === undefined) return null;
  const end = () => {
    draft.end();
    setPattern('');
  };
  return (
    <ChangeDialog
      {...{ projectId }}
      devices={target}
      change={pattern.trim() === '' ? undefined : { kind: 'Rename', pattern }}
      title={
        target.deviceIds === undefined
          ? changesCopy.rename.titleAll
          : changesCopy.rename.title(target.deviceIds.length)
      }
      verb={changesCopy.rename.verb}
      open={isOpen}
      onClose={close}
      onApplied={end}
      onCancel={() => {
        end();
        close();
      }}
    >
      <TextField
        label={changesCopy.rename.pattern}
        description={changesCopy.rename.hint}
        value={pattern}
        onValueChange={setPattern}
        placeholder="pump-{n}"
        autoComplete="off"
        spellCheck={false}
      />
    </ChangeDialog>
  );
}
