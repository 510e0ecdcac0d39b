import type { ReactNode } from 'react';
import type { AlertPlace } from '../../../parts/alerts/alerts.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { suggestedRuleName } from '../condition-words.ts';
import { ruleCopy as words } from './copy.ts';
import type { ChangeRuleDraft, DraftRule } from './draft-rule.ts';
import type { ReadRule } from './read-rule.ts';
import { ToldStep } from './ToldStep.tsx';
import { WhatStep } from './WhatStep.tsx';
import { WhichStep } from './WhichStep.tsx';

/** A rule as a form: what it looks for, of which devices, and who is told, `actions` end it. */
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
  const hasFilter = ['Offline', 'Missing', 'Matching', 'Events'].includes(draft.kind);
  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_25rem]">
      <Card isFlush isUnclipped>
        <div className="px-4.5 pt-4.5 pb-5">
          <TextField
            label={words.name}
            required={false}
            autoComplete="off"
            maxLength={128}
            placeholder={read.condition === undefined ? undefined : suggestedRuleName(read.condition)}
            value={draft.name}
            onValueChange={(name) => change({ name })}
          />
        </div>
        <WhatStep {...{ draft, change }} />
        {hasFilter && place.projectId !== undefined && (
          <WhichStep projectId={place.projectId} {...{ draft, change }} />
        )}
        <ToldStep number={hasFilter ? 3 : 2} {...{ place, draft, change }} />
      </Card>
      <div className="flex min-w-0 flex-col gap-5 xl:sticky xl:top-5">{actions}</div>
    </div>
  );
}
