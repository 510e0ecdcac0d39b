import { useEffect, useState, useSyncExternalStore } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { type BulkItem, BulkRun, failureOf } from '../../parts/bulk-run.ts';
import { deviceLabel, type ListedDevice } from '../../parts/listed-device.ts';
import { showBulkProgress, showBulkResult } from '../../parts/show-bulk-result.ts';
import type { DialogTarget } from '../../parts/use-dialog-target.ts';
import { Button } from '../../ui/action/Button.tsx';
import { type DraftValues, useDraft, useDraftOnClosing } from '../../ui/form/drafts.ts';
import { TextField } from '../../ui/form/TextField.tsx';
import { useIsMounted } from '../../ui/form/use-is-mounted.ts';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { devicesCopy } from './copy.ts';
import { fillNames } from './fill-names.ts';
import { renameDevice } from './mutations.ts';

const words = devicesCopy.bulk;

/** Renames several devices: a field for each, which a pattern can fill in. Typed names are kept as the draft of `FieldsDialog` is. */
export function RenameDevicesDialog({
  dialog: { target: devices, isOpen, close },
}: {
  dialog: DialogTarget<readonly ListedDevice[]>;
}) {
  const [opening, setOpening] = useState(0);
  if (devices === undefined) return null;
  return (
    <RenameForm
      // A new form for each opening, and for other devices.
      key={`${opening} ${devices.map(({ deviceId }) => deviceId).join()}`}
      open={isOpen}
      onClose={close}
      onClosed={() => setOpening((number) => number + 1)}
      {...{ devices }}
    />
  );
}

function RenameForm({
  devices,
  open,
  onClose,
  onClosed,
}: {
  devices: readonly ListedDevice[];
  open: boolean;
  onClose: () => void;
  /** Called after the dialog has disappeared. */
  onClosed: () => void;
}) {
  const draft = useDraft('names of devices');
  const [names, setNames] = useState(() =>
    devices.map(({ deviceId, name = '' }) => String(draft.read()?.[deviceId] ?? name)),
  );
  const isMounted = useIsMounted();
  const { rename, run, failure, forgetFailure, showResult } = useRenameDevices(devices);
  const results = useSyncExternalStore(run.subscribe, run.results);
  const changed = devices.filter((device, index) => isChanged(device, names[index] ?? ''));
  const isBusy = run.isRunning();
  function close(): void {
    if (isBusy) run.stop();
    else showResult(run, false);
    onClose();
  }
  function cancel(): void {
    draft.end(namesOfOthers());
    close();
  }
  /** Typed before for devices that are not among these. */
  function namesOfOthers(): DraftValues {
    const ids = new Set<string>(devices.map(({ deviceId }) => deviceId));
    return Object.fromEntries(Object.entries(draft.read() ?? {}).filter(([id]) => !ids.has(id)));
  }
  function typedNames(): DraftValues {
    const waiting = devices.flatMap((device, index) => {
      const name = names[index] ?? '';
      const isWaiting = isChanged(device, name) && results.get(device.deviceId) !== 'done';
      return isWaiting ? [[device.deviceId, name]] : [];
    });
    return { ...namesOfOthers(), ...Object.fromEntries(waiting) };
  }
  useDraftOnClosing(draft, open, typedNames);
  async function submit(): Promise<void> {
    const ended = await rename(names);
    const isClosed = ended.isStopped || !isMounted.current;
    if (!isClosed && ended.failed().length > 0) return;
    showResult(ended, isClosed);
    // It may be open again, or have been closed again, with other names.
    const typed = new Map(devices.map(({ deviceId }, index) => [deviceId as string, names[index]]));
    const isDone = ([id, name]: [string, unknown]) =>
      ended.results().get(id) === 'done' && typed.get(id) === name;
    draft.end(Object.fromEntries(Object.entries(draft.read() ?? {}).filter((entry) => !isDone(entry))));
    if (!isClosed) onClose();
  }
  return (
    <FormDialog
      open={open}
      onOpenChange={close}
      onCancel={cancel}
      onReset={onClosed}
      title={words.renameTitle(devices.length)}
      description={devicesCopy.nameHint}
      submitLabel={words.renameAll(changed.length)}
      canSubmit={changed.length > 0}
      busy={isBusy}
      error={failure}
      onSubmit={() => void submit()}
    >
      <FillIn onFill={(pattern) => setNames(fillNames(pattern, devices))} />
      <div className="flex flex-col gap-3 border-t border-line pt-4">
        {devices.map((device, index) => {
          const result = results.get(device.deviceId);
          const isFailed = typeof result === 'object';
          return (
            <TextField
              key={device.deviceId}
              label={<span className="wrap-anywhere">{words.newName(deviceLabel(device))}</span>}
              value={names[index] ?? ''}
              onValueChange={(name) => {
                setNames((before) => before.with(index, name));
                forgetFailure(device);
              }}
              placeholder={device.hostname}
              autoComplete="off"
              spellCheck={false}
              disabled={isBusy || result === 'done'}
              dirty={isFailed}
              blurred={isFailed}
              error={isFailed ? result.failure : undefined}
              valid={result === 'done' ? true : isFailed ? false : undefined}
            />
          );
        })}
      </div>
    </FormDialog>
  );
}

function FillIn({ onFill }: { onFill: (pattern: string) => void }) {
  const [pattern, setPattern] = useState('{hostname}');
  return (
    <div className="flex items-start gap-2">
      <TextField
        className="min-w-0 flex-1"
        label={words.pattern}
        description={words.patternHint}
        value={pattern}
        onValueChange={setPattern}
        autoComplete="off"
        spellCheck={false}
      />
      <Button className="mt-6.5" disabled={pattern.trim() === ''} onClick={() => onFill(pattern)}>
        {words.fillIn}
      </Button>
    </div>
  );
}

function isChanged({ name = '' }: ListedDevice, typed: string): boolean {
  return name.trim() !== typed.trim();
}

/** Renames the devices whose names were changed. The renames that succeeded can be undone, also when others failed or were not started. */
function useRenameDevices(devices: readonly ListedDevice[]) {
  const call = useRun();
  const [run, setRun] = useState(() => new BulkRun([]));
  const [failure, setFailure] = useState<string>();
  useEffect(
    () => () => {
      // The page was left: after Cancel the run is stopped.
      if (run.isRunning()) showBulkProgress(run, words.renameTitle(run.items.length));
    },
    [run],
  );
  const itemOf = (device: ListedDevice, name: string): BulkItem => ({
    key: device.deviceId,
    name: deviceLabel(device),
    perform: () => call(renameDevice, { deviceId: device.deviceId, name }),
  });
  function showResult(ended: BulkRun, wasClosed: boolean): void {
    const inverse = devices.map((device) => itemOf(device, device.name ?? ''));
    const undo = { items: inverse, notUndone: words.notRestored };
    showBulkResult(ended, { done: words.renamed, undo }, wasClosed);
  }
  /** Resolves to the run when it has ended. */
  async function rename(names: readonly string[]): Promise<BulkRun> {
    const items = devices.flatMap((device, index) => {
      const name = names[index] ?? '';
      return isChanged(device, name) ? [itemOf(device, name)] : [];
    });
    const next = new BulkRun(items, run.results());
    setRun(next);
    setFailure(undefined);
    const failed = await next.start();
    if (failed.length > 0) setFailure(failureOf(failed, items.length));
    return next;
  }
  function forgetFailure({ deviceId }: ListedDevice): void {
    run.forgetFailure(deviceId);
    setFailure(undefined);
  }
  return { rename, run, failure, forgetFailure, showResult };
}
