import { RadioCards } from '../../../ui/form/RadioCards.tsx';
import { Select } from '../../../ui/form/Select.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { NumberedStep } from '../../../ui/layout/NumberedStep.tsx';
import { formatDuration } from '../../../ui/time/format-duration.ts';
import { ruleCopy } from './copy.ts';
import { type ChangeRuleDraft, type DraftRule, eventSeverities } from './draft-rule.ts';
import { projectKinds } from './new-rule-search.ts';
import { isPercent } from './read-rule.ts';

const words = ruleCopy.what;

type Part = { draft: DraftRule; change: ChangeRuleDraft };

/** What the rule looks for, and from when on it is an alert. */
export function WhatStep({ draft, change }: Part) {
  const { kind } = draft;
  return (
    <NumberedStep number={1} title={words.title} text={words.text}>
      {kind !== 'Hub' && (
        <RadioCards
          label={words.choice}
          isLabelHidden
          className="grid-cols-2"
          options={projectKinds.map((value) => ({
            value,
            label: words.kinds[value],
            text: words.texts[value],
          }))}
          value={kind}
          onValueChange={(next) => change({ kind: next })}
        />
      )}
      <div className="mt-4 grid items-start gap-4 sm:grid-cols-2">
        {kind === 'Missing' && <Percent {...{ draft, change, kind }} label={words.share} />}
        {(kind === 'Offline' || kind === 'Missing' || kind === 'Matching') && (
          <Select
            label={words.forSecs}
            options={timesWith(draft.forSecs[kind])}
            value={draft.forSecs[kind]}
            onValueChange={(next) =>
              change({ forSecs: { ...draft.forSecs, [kind]: next ?? draft.forSecs[kind] } })
            }
            description={kind === 'Matching' ? undefined : words.forText}
          />
        )}
        {kind === 'Events' && (
          <Select
            label={words.event}
            options={eventSeverities.map((value) => ({ value, label: value }))}
            value={draft.eventSeverity as (typeof eventSeverities)[number]}
            onValueChange={(next) => change({ eventSeverity: next ?? draft.eventSeverity })}
            description={words.eventText}
          />
        )}
        {kind === 'Operations' && <Percent {...{ draft, change, kind }} label={words.failed} />}
        {kind === 'Quota' && <Percent {...{ draft, change, kind }} label={words.quota} />}
        {kind === 'Hub' && (
          <Percent {...{ draft, change, kind }} label={words.disk} description={words.hub} />
        )}
      </div>
    </NumberedStep>
  );
}

function Percent({
  draft,
  change,
  kind,
  label,
  description,
}: Part & { kind: keyof DraftRule['percent']; label: string; description?: string }) {
  const value = draft.percent[kind];
  const isRight = isPercent(value);
  return (
    <TextField
      {...{ label, description, value }}
      inputMode="numeric"
      autoComplete="off"
      onValueChange={(next) => change({ percent: { ...draft.percent, [kind]: next } })}
      dirty={!isRight}
      blurred={!isRight}
      valid={isRight ? undefined : false}
      error={ruleCopy.whyNot.percent}
    />
  );
}

/** The usual times, and the one that the rule has. */
function timesWith(seconds: string): { value: string; label: string }[] {
  const usual = Object.entries(words.times).map(([value, label]) => ({ value, label }));
  if (usual.some(({ value }) => value === seconds)) return usual;
  return [...usual, { value: seconds, label: formatDuration(Number(seconds)) }].toSorted(
    (one, other) => Number(one.value) - Number(other.value),
  );
}
