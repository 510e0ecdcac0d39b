import type { ReactNode } from 'react';
import type { AlertPlace } from '../../../parts/alerts/alerts.ts';
import { usePreview } from '../../../parts/use-preview.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { FormBesidePreview } from '../../../ui/layout/FormBesidePreview.tsx';
import { suggestedRuleName } from '../condition-words.ts';
import { ruleCopy as words } from './copy.ts';
import type { ChangeRuleDraft, DraftRule } from './draft-rule.ts';
import type { ReadRule } from './read-rule.ts';
import { RulePreview } from './RulePreview.tsx';
import { ToldStep } from './ToldStep.tsx';
import { WhatStep } from './WhatStep.tsx';
import { WhichStep } from './WhichStep.tsx';

/** A rule as a form: what it looks for, of which devices, and who is told, beside what would fire now. `actions` end it. */
export function RuleForm({
  place,
  draft,
  change,
  read,
  actions,
}: {
  place: AlertPlace;
  draft: DraftRule;
  change: ChangeRuleDraft;
  read: ReadRule;
  actions: ReactNode;
}) {
  const { condition } = read;
  const preview = usePreview('alerts_PreviewRule', condition && { ...place, condition });
  const hasFilter = ['Offline', 'Missing', 'Matching', 'Events'].includes(draft.kind);
  return (
    <FormBesidePreview
      name={
        <TextField
          label={words.name}
          required={false}
          autoComplete="off"
          maxLength={128}
          placeholder={condition && suggestedRuleName(condition)}
          value={draft.name}
          onValueChange={(name) => change({ name })}
        />
      }
      preview={
        <>
          <RulePreview problem={condition === undefined ? read.problem : undefined} {...preview} />
          {actions}
        </>
      }
    >
      <WhatStep {...{ draft, change }} />
      {hasFilter && place.projectId !== undefined && (
        <WhichStep projectId={place.projectId} {...{ draft, change }} />
      )}
      <ToldStep number={hasFilter ? 3 : 2} {...{ place, draft, change }} />
    </FormBesidePreview>
  );
}
