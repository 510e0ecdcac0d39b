import type { Id } from '@corral/contract';
import { Plus, X } from 'lucide-react';
import { readInput } from '../../../parts/operation/schema-fields.ts';
import { SchemaForm } from '../../../parts/operation/SchemaForm.tsx';
import { Button } from '../../../ui/action/Button.tsx';
import { RadioCards } from '../../../ui/form/RadioCards.tsx';
import { Select } from '../../../ui/form/Select.tsx';
import { TextAreaField } from '../../../ui/form/TextAreaField.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { NumberedStep } from '../../../ui/layout/NumberedStep.tsx';
import { Menu } from '../../../ui/overlay/Menu.tsx';
import { MenuItem } from '../../../ui/overlay/MenuItem.tsx';
import { newOperationCopy } from './copy.ts';
import {
  type ChangeDraft,
  type DraftOperation,
  type DraftStep,
  formOf,
  newRun,
  newSet,
} from './draft-operation.ts';
import { InstallFields } from './InstallFields.tsx';
import type { useOfferedCommands } from './use-offered-commands.ts';
import { parseJson } from '../../../parts/operation/schema-fields.ts';
import { operationKinds } from './new-operation-search.ts';

const words = newOperationCopy.what;

type Offered = ReturnType<typeof useOfferedCommands>;
const maxSteps = 32;

/** What is done on each device: a version is installed, or steps run one after the other. */
export function WhatStep({
  projectId,
  draft,
  change,
  offered,
}: {
  projectId: Id<'project'>;
  draft: DraftOperation;
  change: ChangeDraft;
  offered: Offered;
}) {
  const { kind, steps } = draft;
  const first = kind === 'install' ? 'install' : (steps[0]?.kind ?? 'run');
  const setStep = (index: number, step: DraftStep) => change({ steps: steps.with(index, step) });
  function choose(next: (typeof operationKinds)[number]): void {
    if (next === 'install') change({ kind: 'install' });
    else if (next === steps[0]?.kind) change({ kind: 'steps' });
    else change({ kind: 'steps', steps: [next === 'run' ? newRun : newSet, ...steps.slice(1)] });
  }
  return (
    <NumberedStep number={1} title={words.title} text={words.text}>
      <KindChoice value={first} onChange={choose} />
      {kind === 'install' ? (
        <InstallFields {...{ projectId, draft, change }} />
      ) : (
        <ol className="mt-4 flex flex-col gap-4">
          {steps.map((step, index) => (
            <li
              key={index}
              aria-label={words.step(index + 1)}
              className={steps.length > 1 ? 'rounded-card border border-line p-3.5' : ''}
            >
              {steps.length > 1 && (
                <div className="mb-2 flex items-center justify-between gap-3">
                  <span className="text-label text-ink2">{words.step(index + 1)}</span>
                  <Button
                    size="small"
                    variant="quiet"
                    label={words.remove(index + 1)}
                    icon={<X size={15} aria-hidden />}
                    onClick={() => change({ steps: steps.toSpliced(index, 1) })}
                  />
                </div>
              )}
              {step.kind === 'run' ? (
                <RunFields {...{ step, offered }} onChange={(next) => setStep(index, next)} />
              ) : (
                <SetFields {...{ step }} onChange={(next) => setStep(index, next)} />
              )}
            </li>
          ))}
          {steps.length < maxSteps && (
            <li>
              <Menu
                align="start"
                trigger={
                  <Button size="small" icon={<Plus size={14} aria-hidden />}>
                    {words.add}
                  </Button>
                }
              >
                <MenuItem onSelect={() => change({ steps: [...steps, newRun] })}>{words.addRun}</MenuItem>
                <MenuItem onSelect={() => change({ steps: [...steps, newSet] })}>{words.addSet}</MenuItem>
              </Menu>
            </li>
          )}
        </ol>
      )}
    </NumberedStep>
  );
}

type Kind = (typeof operationKinds)[number];

/** The kind of the operation, as cards of which one is chosen. */
function KindChoice({ value, onChange }: { value: Kind; onChange: (kind: Kind) => void }) {
  const texts: Record<Kind, string> = {
    install: words.installText,
    run: words.runText,
    set: words.setText,
  };
  return (
    <RadioCards
      label={words.choice}
      isLabelHidden
      options={operationKinds.map((kind) => ({ value: kind, label: words[kind], text: texts[kind] }))}
      value={value}
      onValueChange={onChange}
    />
  );
}

const shownCommands = 12;

function RunFields({
  step,
  offered,
  onChange,
}: {
  step: Extract<DraftStep, { kind: 'run' }>;
  offered: Offered;
  onChange: (step: DraftStep) => void;
}) {
  const { command, timeoutSecs } = step;
  const { commands, asked, isRead } = offered;
  const { name, schema, typed, isReading } = formOf(step, offered);
  const isUnknown = isRead && name !== '' && !offered.schemas.has(name);
  return (
    <div className="flex flex-col gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <TextField
          label={words.command}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={256}
          value={command}
          onValueChange={(next) => onChange({ ...step, command: next })}
          description={
            isUnknown ? (
              <span className="text-warn">{words.notOffered}</span>
            ) : commands.length === 0 ? (
              isRead && words.noneOffered
            ) : (
              <span className="flex flex-wrap gap-x-3 gap-y-1">
                {words.offered}
                {commands.slice(0, shownCommands).map((one) => (
                  <button
                    key={one.name}
                    type="button"
                    title={one.description}
                    onClick={() => onChange({ ...step, command: one.name, typed: {} })}
                    className="touch-area rounded-control font-mono text-denim underline decoration-line-strong underline-offset-2 hover:text-denim-hover"
                  >
                    {one.name}
                  </button>
                ))}
                <span>({words.offeredBy(asked)})</span>
              </span>
            )
          }
        />
        <Select
          label={words.timeout}
          options={Object.entries(newOperationCopy.timeouts).map(([value, label]) => ({ value, label }))}
          value={timeoutSecs}
          onValueChange={(next) => onChange({ ...step, timeoutSecs: next ?? timeoutSecs })}
        />
      </div>
      {name !== '' && !isReading && (
        <SchemaForm
          key={name}
          {...{ schema, typed }}
          read={readInput(schema, typed)}
          onTyped={(next) => onChange({ ...step, typed: next, form: { command: name, schema } })}
        />
      )}
    </div>
  );
}

function SetFields({
  step,
  onChange,
}: {
  step: Extract<DraftStep, { kind: 'set' }>;
  onChange: (step: DraftStep) => void;
}) {
  const { name, value } = step;
  const isJson = parseJson(value) !== undefined;
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label={words.property}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={256}
        value={name}
        onValueChange={(next) => onChange({ ...step, name: next })}
      />
      <TextAreaField
        label={words.value}
        required
        description={words.valueHint}
        rows={2}
        value={value}
        onValueChange={(next) => onChange({ ...step, value: next })}
        dirty={value !== ''}
        valid={value === '' ? undefined : isJson}
        blurred={false}
        error={newOperationCopy.whyNot.value}
      />
    </div>
  );
}
