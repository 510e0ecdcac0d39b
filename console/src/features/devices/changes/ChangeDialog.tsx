import type { Id } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { useDebounced } from '../../../parts/use-debounced.ts';
import { messageOf } from '../../../ui/form/message-of.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { changeInput, changePreviewQuery, type DeviceChange, type SelectedDevices } from './changes.ts';
import { applyChange } from './change-mutations.ts';
import { ChangePreview } from './ChangePreview.tsx';
import { changesCopy as words } from './copy.ts';
import { useFollowChange } from './use-follow-change.tsx';

/** A change of the selected devices, with what it would do. It goes on after the dialog has closed: a toast shows its progress and its result. */
export function ChangeDialog({
  projectId,
  devices,
  change,
  title,
  description,
  verb,
  open,
  onClose,
  onApplied,
  onCancel,
  onClosed,
  children,
}: {
  projectId: Id<'project'>;
  devices: SelectedDevices;
  /** Undefined while what is typed is no change. */
  change: DeviceChange | undefined;
  title: string;
  description?: string | undefined;
  verb: string;
  open: boolean;
  onClose: () => void;
  /** Called when the change has begun, before the dialog closes. */
  onApplied?: (() => void) | undefined;
  onCancel?: (() => void) | undefined;
  /** Called after the dialog has disappeared. */
  onClosed?: (() => void) | undefined;
  children?: ReactNode;
}) {
  const run = useRun();
  const follow = useFollowChange(projectId);
  const {
    preview,
    isCurrent,
    failure: previewFailure,
    refresh,
  } = usePreview(projectId, devices, open ? change : undefined);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [typed, setTyped] = useState('');
  const eligible = preview?.eligible ?? 0;
  const wanted = change?.kind === 'Delete' ? words.counted(eligible) : undefined;
  async function submit(): Promise<void> {
    if (change === undefined || preview === undefined) return;
    setIsBusy(true);
    setFailure(undefined);
    try {
      const input = changeInput(projectId, devices, change);
      const { jobId } = await run(applyChange, { ...input, previewHash: preview.previewHash });
      follow(jobId);
      onApplied?.();
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
      refresh();
    } finally {
      setIsBusy(false);
    }
  }
  return (
    <FormDialog
      {...{ open, title, description }}
      onOpenChange={onClose}
      onCancel={onCancel}
      onReset={onClosed}
      submitLabel={verb}
      tone={change?.kind === 'Delete' ? 'danger' : 'primary'}
      canSubmit={isCurrent && eligible > 0 && (wanted === undefined || typed.trim() === wanted)}
      busy={isBusy}
      error={failure ?? previewFailure}
      onSubmit={() => void submit()}
    >
      {children}
      <ChangePreview preview={preview} change={change} />
      {wanted !== undefined && eligible > 0 && (
        <TextField
          label={words.typeToConfirm(wanted)}
          value={typed}
          onValueChange={setTyped}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </FormDialog>
  );
}

function usePreview(projectId: Id<'project'>, devices: SelectedDevices, change: DeviceChange | undefined) {
  const key = change === undefined ? undefined : JSON.stringify(change);
  const settled = useDebounced(key);
  const asked = settled === undefined ? undefined : (JSON.parse(settled) as DeviceChange);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...changePreviewQuery(changeInput(projectId, devices, asked ?? { kind: 'Accept' })),
    enabled: asked !== undefined && change !== undefined,
    placeholderData: keepPreviousData,
  });
  const isCurrent = settled === key && data !== undefined && !isPlaceholderData;
  return {
    preview: change === undefined || asked?.kind !== change.kind ? undefined : data,
    isCurrent,
    failure: error === null || change === undefined ? undefined : messageOf(error),
    refresh: () => void refetch(),
  };
}
