import { type Id, labelNameProblem, labelValueProblem, type Problem } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { problemCopy } from '../../../copy/problems.ts';
import { BulkList } from '../../../parts/BulkList.tsx';
import type { DialogTarget } from '../../../parts/use-dialog-target.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { useIsMounted } from '../../../ui/form/use-is-mounted.ts';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { deviceLabelsQuery } from '../../../parts/device-filter/queries.ts';
import { labelsCopy as words } from './copy.ts';
import type { Label } from './label-filter.ts';
import { Suggested } from './Suggested.tsx';
import { type LabelledDevice, useLabelRun } from './use-label-run.ts';

/** What a dialog is open for: to set a label of these devices, or to remove one. */
export interface LabelTask {
  readonly kind: 'set' | 'remove';
  readonly devices: readonly LabelledDevice[];
  /** What the fields have at first. */
  readonly label?: Label;
}

interface LabelDialogProps {
  readonly projectId: Id<'project'>;
  readonly dialog: DialogTarget<LabelTask>;
}

/** Sets or removes a label of one or several devices; the result of each shows in the dialog, and what is done can be undone. */
export function LabelDialog({ projectId, dialog: { target, isOpen, close } }: LabelDialogProps) {
  const [opening, setOpening] = useState(0);
  if (target === undefined) return null;
  return (
    <LabelForm
      // A new form for each opening, and for other devices.
      key={`${opening} ${target.kind} ${target.label?.name ?? ''} ${target.devices.map(({ deviceId }) => deviceId).join()}`}
      open={isOpen}
      onClose={close}
      onClosed={() => setOpening((number) => number + 1)}
      {...{ projectId, ...target }}
    />
  );
}

function LabelForm({
  projectId,
  kind,
  devices,
  label,
  open,
  onClose,
  onClosed,
}: LabelTask & { projectId: Id<'project'>; open: boolean; onClose: () => void; onClosed: () => void }) {
  const isSet = kind === 'set';
  const title = (isSet ? words.setTitle : words.removeTitle)(devices.length);
  const [name, setName] = useState(label?.name ?? '');
  const [value, setValue] = useState(label?.value ?? '');
  const isMounted = useIsMounted();
  const { run, start, failure, showResult } = useLabelRun(devices, title);
  const results = useSyncExternalStore(run.subscribe, run.results);
  const isBusy = run.isRunning();
  // What is done for some devices is not done differently for the others.
  const isFixed = isBusy || [...results.values()].includes('done');
  const { names, valuesOf } = useKnownLabels(projectId, isSet ? undefined : devices, open);
  const change = { name: name.trim(), ...(isSet ? { value: value.trim() } : {}) };
  const problems = [labelNameProblem(name), isSet ? labelValueProblem(value) : undefined];
  function close(): void {
    if (isBusy) run.stop();
    else showResult(change, run, false);
    onClose();
  }
  async function submit(): Promise<void> {
    const ended = await start(change);
    const isClosed = ended.isStopped || !isMounted.current;
    if (!isClosed && ended.failed().length > 0) return;
    showResult(change, ended, isClosed);
    if (!isClosed) onClose();
  }
  return (
    <FormDialog
      open={open}
      onOpenChange={close}
      onReset={onClosed}
      title={title}
      description={isSet ? (devices.length === 1 ? words.setTextOne : words.setText) : undefined}
      size="small"
      submitLabel={isSet ? words.setVerb : words.removeVerb}
      canSubmit={problems.every((problem) => problem === undefined)}
      busy={isBusy}
      error={failure}
      onSubmit={() => void submit()}
    >
      <Typed
        label={words.name}
        value={name}
        onValueChange={setName}
        problem={problems[0]}
        suggestions={names}
        placeholder={words.namePlaceholder}
        disabled={isFixed}
      />
      {isSet && (
        <Typed
          label={words.value}
          value={value}
          onValueChange={setValue}
          problem={problems[1]}
          suggestions={valuesOf(name.trim())}
          disabled={isFixed}
        />
      )}
      {devices.length > 1 && <BulkList run={run} />}
    </FormDialog>
  );
}

/** A text field with suggestions below it; what is wrong shows once something was typed. */
function Typed({
  label,
  value,
  onValueChange,
  problem,
  suggestions,
  placeholder,
  disabled,
}: {
  label: string;
  value: string;
  onValueChange: (value: string) => void;
  problem: Problem | undefined;
  suggestions: readonly string[];
  placeholder?: string;
  disabled: boolean;
}) {
  const [isLeft, setIsLeft] = useState(false);
  return (
    <div>
      <TextField
        {...{ label, value, onValueChange, placeholder, disabled }}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dirty={value !== ''}
        blurred={isLeft}
        onBlur={() => setIsLeft(true)}
        valid={problem === undefined}
        error={problem && problemCopy[problem]}
      />
      {!disabled && <Suggested label={label} typed={value} {...{ suggestions }} onChoose={onValueChange} />}
    </div>
  );
}

/** The labels to suggest: those of the project, and where one is removed, those that the devices show. */
function useKnownLabels(
  projectId: Id<'project'>,
  devices: readonly LabelledDevice[] | undefined,
  isWanted: boolean,
) {
  const { data } = useQuery({ ...deviceLabelsQuery(projectId), enabled: isWanted && devices === undefined });
  const known = data?.labels ?? [];
  const shown = new Set(devices?.flatMap(({ labels = [] }) => labels.map(({ name }) => name)));
  return {
    names: devices === undefined ? known.map(({ name }) => name) : [...shown].sort(),
    valuesOf: (name: string) => known.find((one) => one.name === name)?.values ?? [],
  };
}
