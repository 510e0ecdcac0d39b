import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { WindowFields } from '../../../parts/WindowFields.tsx';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { Select } from '../../../ui/form/Select.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { newOperationCopy } from './copy.ts';
import { type ChangeDraft, type DraftOperation, hasUsualPace } from './draft-operation.ts';

const words = newOperationCopy.how;

type Part = { draft: DraftOperation; change: ChangeDraft };

/** How fast it goes, when it pauses, until when it is delivered and in which hours; closed where all of it is as usual. */
export function PaceGroup({ draft, change }: Part) {
  const [isOpen, setIsOpen] = useState(() => !hasUsualPace(draft));
  const { goesOn, waitSecs, maxInFlight, pauseAbove, deliverSecs } = draft;
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      className="group mt-4 rounded-control border border-line"
    >
      <summary className="flex min-h-10 cursor-default list-none items-center gap-2 rounded-control px-3 pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={15}
          aria-hidden
          className="shrink-0 text-ink3 transition-transform group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:rotate-90"
        />
        <span className="shrink-0 text-label">{words.pace}</span>
        <span className="min-w-0 truncate text-body text-ink3 group-open:hidden">{paceText(draft)}</span>
      </summary>
      <div className="grid items-start gap-4 border-t border-line p-3.5 sm:grid-cols-2 lg:grid-cols-4 xl:grid-cols-2">
        <Select
          label={words.wait}
          disabled={!goesOn}
          options={optionsOf(newOperationCopy.waits)}
          value={waitSecs}
          onValueChange={(next) => change({ waitSecs: next ?? waitSecs })}
        />
        <Select
          label={words.deliver}
          options={optionsOf(newOperationCopy.delivers)}
          value={deliverSecs}
          onValueChange={(next) => change({ deliverSecs: next ?? deliverSecs })}
        />
        <NumberField
          label={words.inFlight}
          unit={words.inFlightUnit}
          value={maxInFlight}
          most={10_000}
          onChange={(next) => change({ maxInFlight: next })}
        />
        <NumberField
          label={words.failures}
          unit={words.failuresUnit}
          hint={words.failuresHint}
          value={pauseAbove}
          least={0}
          most={100}
          onChange={(next) => change({ pauseAbove: next })}
        />
        <div className="sm:col-span-2 lg:col-span-4 xl:col-span-2">
          <Window {...{ draft, change }} />
        </div>
      </div>
    </details>
  );
}

/** The hours of the day in which devices begin. */
function Window({ draft: { isInWindow, windowFrom, windowTo, timeZone }, change }: Part) {
  return (
    <>
      <Checkbox
        label={words.window}
        description={words.windowText}
        checked={isInWindow}
        onCheckedChange={(next) => change({ isInWindow: next })}
      />
      {isInWindow && <WindowFields value={{ windowFrom, windowTo, timeZone }} onChange={change} />}
    </>
  );
}

/** What is chosen, in a line. */
function paceText({
  maxInFlight,
  pauseAbove,
  isInWindow,
  windowFrom,
  windowTo,
  timeZone,
}: DraftOperation): string {
  return words.paceText(
    maxInFlight,
    pauseAbove,
    isInWindow ? newOperationCopy.windowText(windowFrom, windowTo, timeZone) : words.anyTime,
  );
}

const optionsOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, label]) => ({ value, label }));

function NumberField({
  label,
  unit,
  hint,
  value,
  least = 1,
  most,
  onChange,
}: {
  label: string;
  unit: string;
  hint?: string;
  value: string;
  least?: number;
  most: number;
  onChange: (value: string) => void;
}) {
  const isRight = /^\d+$/u.test(value) && Number(value) >= least && Number(value) <= most;
  return (
    <TextField
      label={`${label} (${unit})`}
      description={hint}
      inputMode="numeric"
      autoComplete="off"
      value={value}
      onValueChange={onChange}
      dirty={!isRight}
      blurred={!isRight}
      valid={isRight ? undefined : false}
      error={newOperationCopy.whyNot[least === 0 ? 'failures' : 'inFlight']}
    />
  );
}
