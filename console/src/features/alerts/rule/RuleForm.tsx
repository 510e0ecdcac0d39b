import { parseExactJson } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { actionQuery } from '../../../data/action-query.ts';
import { everyMinute } from '../../../data/intervals.ts';
import type { AlertPlace } from '../../../parts/alerts/alerts.ts';
import { useDebounced } from '../../../parts/use-debounced.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { type AlertCondition, suggestedRuleName } from '../condition-words.ts';
import { ruleCopy as words } from './copy.ts';
import type { ChangeRuleDraft, DraftRule } from './draft-rule.ts';
import type { ReadRule } from './read-rule.ts';
import { RulePreview } from './RulePreview.tsx';
import { ToldStep } from './ToldStep.tsx';
import { WhatStep } from './WhatStep.tsx';
import { WhichStep } from './WhichStep.tsx';

/** How long nobody typed before the preview is read. */
const previewDelayMs = 300;

const previewQuery = (place: AlertPlace, condition: AlertCondition) =>
  actionQuery('alerts_PreviewRule', { ...place, condition }, everyMinute);

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
  const wanted = JSON.stringify(read.condition);
  const asked = useDebounced(wanted, previewDelayMs);
  const preview = useQuery({
    ...previewQuery(place, parseExactJson(asked ?? '{}') as AlertCondition),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isRead = read.condition !== undefined;
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
      <div className="flex min-w-0 flex-col gap-5 xl:sticky xl:top-5">
        <RulePreview
          problem={isRead ? undefined : read.problem}
          preview={isRead ? preview.data : undefined}
          error={isRead ? preview.error : null}
          isCurrent={asked === wanted && !preview.isPlaceholderData}
        />
        {actions}
      </div>
    </div>
  );
}
