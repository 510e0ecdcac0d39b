import { type Id, labelNameProblem, labelValueProblem, type Problem } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemCopy } from '../../../copy/problems.ts';
import type { DialogTarget } from '../../../parts/use-dialog-target.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { useDraft, useDraftOnClosing } from '../../../ui/form/drafts.ts';
import { deviceLabelsQuery } from '../../../parts/device-filter/queries.ts';
import { labelsCopy as words } from './copy.ts';
import type { Label } from './label-filter.ts';
import { Suggested } from './Suggested.tsx';
import type { ListedDevice } from '../../../parts/listed-device.ts';
import { ChangeDialog } from '../changes/ChangeDialog.tsx';
import type { SelectedDevices } from '../changes/changes.ts';

type LabelledDevice = Pick<ListedDevice, 'labels'>;

/** What a dialog is open for: to set a label of these devices, or to remove one. */
export interface LabelTask {
  readonly kind: 'set' | 'remove';
  readonly devices: SelectedDevices;
  /** Those of them that the list has read, whose labels are suggested for removal. */
  readonly shown?: readonly LabelledDevice[];
  /** What the fields have at first. */
  readonly label?: Label;
}

interface LabelDialogProps {
  readonly projectId: Id<'project'>;
  readonly dialog: DialogTarget<LabelTask>;
}

/** Sets or removes a label of one or several devices, or of all that a filter finds. */
export function LabelDialog({ projectId, dialog: { target, isOpen, close } }: LabelDialogProps) {
  const [opening, setOpening] = useState(0);
  if (target === undefined) return null;
  return (
    <LabelForm
      // A new form for each opening, and for other devices.
      key={`${opening} ${target.kind} ${target.label?.name ?? ''} ${target.devices.query ?? target.devices.deviceIds?.join()}`}
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
  shown,
  label,
  open,
  onClose,
  onClosed,
}: LabelTask & { projectId: Id<'project'>; open: boolean; onClose: () => void; onClosed: () => void }) {
  const isSet = kind === 'set';
  const draft = useDraft(label === undefined ? `${kind} label ${projectId}` : undefined);
  const [name, setName] = useState(String(label?.name ?? draft.read()?.['name'] ?? ''));
  const [value, setValue] = useState(String(label?.value ?? draft.read()?.['value'] ?? ''));
  useDraftOnClosing(draft, open, () => (name === '' && value === '' ? {} : { name, value }));
  const { names, valuesOf } = useKnownLabels(projectId, isSet ? undefined : shown, open);
  const problems = [labelNameProblem(name), isSet ? labelValueProblem(value) : undefined];
  const typed = { name: name.trim(), value: value.trim() };
  const isComplete = problems.every((problem) => problem === undefined);
  const count = devices.deviceIds?.length;
  const end = () => draft.end();
  return (
    <ChangeDialog
      {...{ projectId, devices, open, onClose, onClosed }}
      change={
        isComplete
          ? isSet
            ? { kind: 'SetLabel', ...typed }
            : { kind: 'RemoveLabel', name: typed.name }
          : undefined
      }
      title={
        count === undefined ? words.titleAll(isSet) : (isSet ? words.setTitle : words.removeTitle)(count)
      }
      description={isSet ? (count === 1 ? words.setTextOne : words.setText) : undefined}
      verb={isSet ? words.setVerb : words.removeVerb}
      onApplied={end}
      onCancel={() => {
        end();
        onClose();
      }}
    >
      <Typed
        label={words.name}
        value={name}
        onValueChange={setName}
        problem={problems[0]}
        suggestions={names}
        placeholder={words.namePlaceholder}
      />
      {isSet && (
        <Typed
          label={words.value}
          value={value}
          onValueChange={setValue}
          problem={problems[1]}
          suggestions={valuesOf(name.trim())}
        />
      )}
    </ChangeDialog>
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
}: {
  label: string;
  value: string;
  onValueChange: (value: string) => void;
  problem: Problem | undefined;
  suggestions: readonly string[];
  placeholder?: string;
}) {
  const [isLeft, setIsLeft] = useState(false);
  return (
    <div>
      <TextField
        {...{ label, value, onValueChange, placeholder }}
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
      <Suggested label={label} typed={value} {...{ suggestions }} onChoose={onValueChange} />
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
