import { ChevronRight, Minus, Plus } from 'lucide-react';
import { Fragment } from 'react';
import { Button } from '../../../ui/action/Button.tsx';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { inputClass } from '../../../ui/form/input-class.ts';
import { NumberedStep } from '../../../ui/layout/NumberedStep.tsx';
import { newOperationCopy } from './copy.ts';
import type { ChangeDraft, DraftOperation } from './draft-operation.ts';
import { PaceGroup } from './PaceGroup.tsx';

const words = newOperationCopy.how;
const maxStages = 10;

/** How: in which stages, and how fast. */
export function HowStep({ draft, change }: { draft: DraftOperation; change: ChangeDraft }) {
  return (
    <NumberedStep number={3} title={words.title} text={words.text}>
      <Stages {...{ draft, change }} />
      <PaceGroup {...{ draft, change }} />
    </NumberedStep>
  );
}

/** The percentages of the stages one after the other, and whether they open by themselves. */
function Stages({ draft: { stages, goesOn }, change }: { draft: DraftOperation; change: ChangeDraft }) {
  const set = (index: number, typed: string) => change({ stages: stages.with(index, typed) });
  return (
    <fieldset>
      <legend className="mb-1.5 text-label">{words.stages}</legend>
      <div className="flex flex-wrap items-center gap-2">
        {stages.map((typed, index) => (
          <Fragment key={index}>
            {index > 0 && (
              <ChevronRight size={15} aria-hidden className="shrink-0 text-ink3 rtl:-scale-x-100" />
            )}
            <span className="relative">
              <input
                aria-label={words.stage(index + 1)}
                inputMode="numeric"
                autoComplete="off"
                maxLength={3}
                value={typed}
                onChange={({ target }) => set(index, target.value)}
                aria-invalid={!isStage(stages, index) || undefined}
                className={`${inputClass(isStage(stages, index) ? 'plain' : 'red')} w-18! pe-7 font-head`}
              />
              <span
                aria-hidden
                className="pointer-events-none absolute inset-y-0 end-2.5 flex items-center text-body text-ink3"
              >
                %
              </span>
            </span>
          </Fragment>
        ))}
        {stages.length > 1 && (
          <Button
            size="small"
            variant="quiet"
            label={words.remove}
            icon={<Minus size={15} aria-hidden />}
            onClick={() => change({ stages: stages.toSpliced(-2, 1) })}
          />
        )}
        {stages.length < maxStages && (
          <Button
            size="small"
            variant="quiet"
            icon={<Plus size={15} aria-hidden />}
            onClick={() => change({ stages: stages.toSpliced(-1, 0, between(stages)) })}
          >
            {words.add}
          </Button>
        )}
        <span className="ms-auto">
          <Checkbox
            label={words.goesOn}
            checked={goesOn}
            onCheckedChange={(next) => change({ goesOn: next })}
          />
        </span>
      </div>
    </fieldset>
  );
}

function isStage(stages: readonly string[], index: number): boolean {
  const typed = stages[index] ?? '';
  const value = Number(typed);
  return (
    /^\d+$/u.test(typed) &&
    value >= 1 &&
    value <= 100 &&
    value > Number(stages[index - 1] ?? 0) &&
    (index < stages.length - 1 || value === 100)
  );
}

/** A percentage between the last two stages. */
function between(stages: readonly string[]): string {
  const before = Number(stages.at(-2) ?? 0) || 0;
  return String(Math.min(99, Math.max(1, Math.round((before + 100) / 2))));
}
