import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { alertRulesQuery } from '../../parts/alerts/alerts.ts';
import { MuteDialog, type MuteTarget } from '../../parts/alerts/MuteDialog.tsx';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { queryRows } from '../../parts/row-source.ts';
import { useDialogTarget } from '../../parts/use-dialog-target.ts';
import { ruleLink } from './alert-links.ts';
import type { AlertTabProps } from './alert-tab.ts';
import { alertPageCopy } from './copy.ts';
import { createRuleButton } from './create-rule-button.ts';
import { ReadyRules } from './ReadyRules.tsx';
import { ruleColumns } from './rule-columns.tsx';
import { useCanChangeRules } from './use-can-change-rules.ts';

const words = alertPageCopy.rules;

/** The rules of a place: what each looks for, whom it tells, and what it finds now. */
export function RulesTab({ place, tabs }: AlertTabProps) {
  const navigate = useNavigate();
  const run = useRun();
  const { data } = useQuery(alertRulesQuery(place));
  const canChange = useCanChangeRules(place);
  const muting = useDialogTarget<MuteTarget>();
  const { open } = muting;
  const { projectId } = place;
  const ready = projectId !== undefined && data !== undefined && (
    <ReadyRules {...{ projectId }} rules={data.rules} />
  );
  return (
    <>
      <ResourceListPage
        label={words.title}
        meta={() => (projectId === undefined ? alertPageCopy.instanceText : alertPageCopy.text)}
        intro={tabs}
        source={queryRows(alertRulesQuery(place), ({ rules }) => rules)}
        columns={useMemo(
          () =>
            ruleColumns(place, {
              run,
              canChange,
              mute: ({ ruleId, name }) => open({ ruleId, ruleName: name }),
            }),
          [place, run, canChange, open],
        )}
        rowKey={({ ruleId }) => ruleId}
        rowName={({ name }) => name}
        filterLabel={words.filter}
        csvName={words.csvName}
        onOpen={({ ruleId }) => void navigate(ruleLink(place, ruleId) as never)}
        create={createRuleButton(place)}
        empty={{
          title: words.emptyTitle,
          text: projectId === undefined ? words.emptyInstance : words.emptyText,
          children: ready,
        }}
      >
        {data !== undefined && data.rules.length > 0 && <div className="mt-5 max-w-[32rem]">{ready}</div>}
      </ResourceListPage>
      {muting.target !== undefined && (
        <MuteDialog
          key={muting.target.ruleId}
          {...{ place }}
          target={muting.target}
          open={muting.isOpen}
          onOpenChange={muting.close}
        />
      )}
    </>
  );
}
