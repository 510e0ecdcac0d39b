import type { Id } from '@corral/contract';
import { useState } from 'react';
import type { DialogTarget } from '../../../parts/use-dialog-target.ts';
import { Select } from '../../../ui/form/Select.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { ChangeDialog } from '../changes/ChangeDialog.tsx';
import type { SelectedDevices } from '../changes/changes.ts';
import { rotationCopy } from './copy.ts';

const words = rotationCopy.dialog;

type Span = keyof typeof words.spans;

const spans = (Object.keys(words.spans) as Span[]).map((value) => ({ value, label: words.spans[value] }));

/** Opens the windows in which devices may replace their certificates. */
export function RotateDialog({
  projectId,
  dialog: { target, isOpen, close },
}: {
  projectId: Id<'project'>;
  dialog: DialogTarget<SelectedDevices>;
}) {
  const [window, setWindow] = useState<Span>('86400');
  const [grace, setGrace] = useState<Span>('86400');
  const [reason, setReason] = useState('');
  if (target === undefined) return null;
  const count = target.deviceIds?.length;
  return (
    <ChangeDialog
      {...{ projectId, devices: target }}
      change={{
        kind: 'RotateCertificates',
        windowSecs: Number(window),
        graceSecs: Number(grace),
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      }}
      title={count === undefined ? words.titleAll : words.title(count)}
      description={words.text}
      verb={words.verb}
      open={isOpen}
      onClose={close}
      onApplied={() => setReason('')}
    >
      <Select
        label={words.window}
        description={words.windowHint}
        options={spans}
        value={window}
        onValueChange={(next) => setWindow(next ?? window)}
      />
      <Select
        label={words.grace}
        description={words.graceHint}
        options={spans}
        value={grace}
        onValueChange={(next) => setGrace(next ?? grace)}
      />
      <TextField
        label={words.reason}
        description={words.reasonHint}
        value={reason}
        onValueChange={setReason}
        maxLength={500}
        autoComplete="off"
      />
    </ChangeDialog>
  );
}
