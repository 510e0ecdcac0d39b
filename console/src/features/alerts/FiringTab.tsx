import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Alert, alertRulesQuery } from '../../parts/alerts/alerts.ts';
import { alertCountsQuery, type AlertsView } from '../../parts/alerts/queries.ts';
import { alertsCopy } from '../../parts/alerts/copy.ts';
import { MuteDialog, type MuteTarget } from '../../parts/alerts/MuteDialog.tsx';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { omitUndefined } from '../../parts/search-values.ts';
import { useDialogTarget } from '../../parts/use-dialog-target.ts';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { OptionalChips } from '../../ui/form/OptionalChips.tsx';
import { firingColumns, subjectName } from './alert-columns.tsx';
import { subjectLink } from './alert-links.ts';
import type { AlertTabProps } from './alert-tab.ts';
import { ActiveAlertFilters } from './ActiveAlertFilters.tsx';
import { alertKey, alertsSource } from './alerts-source.ts';
import { type AlertsSearch, openStates } from './alerts-search.ts';
import { alertPageCopy as words } from './copy.ts';
import { ReadyRules } from './ReadyRules.tsx';
import { SeverityChips } from './SeverityChips.tsx';
import { useAcknowledge } from './use-acknowledge.tsx';
import { createRuleButton } from './create-rule-button.ts';
import { usePeopleOf } from './use-people-of.ts';

const noOne = { firing: 0, acknowledged: 0, pending: 0 };

/** What fires, and what is acknowledged, the most severe first. */
export function FiringTab({ place, tabs, meta }: AlertTabProps) {
  const [{ state, severity, rule, device }, change] = useUrlSearch<AlertsSearch>();
  const navigate = useNavigate();
  const { data: counts = noOne } = useQuery(alertCountsQuery(place));
  const { data: rules } = useQuery(alertRulesQuery(place));
  const muting = useDialogTarget<MuteTarget>();
  const matching = omitUndefined({ severity, ruleId: rule, deviceId: device });
  const view: AlertsView = {
    ...matching,
    states: state === undefined ? ['Firing', 'Acknowledged'] : [state],
  };
  const acknowledging = useAcknowledge(place, matching);
  const names = usePeopleOf(place);
  const { acknowledge } = acknowledging;
  const openMute = muting.open;
  const columns = useMemo(
    () =>
      firingColumns(place, names, {
        acknowledge,
        mute: ({ deviceId, subject, ruleId, ruleName }: Alert) =>
          openMute({ deviceId, deviceName: subject, ruleId, ruleName }),
      }),
    [place, names, acknowledge, openMute],
  );
  const isNarrowed = severity !== undefined || rule !== undefined || device !== undefined;
  const countOf = { Firing: counts.firing, Acknowledged: counts.acknowledged, Pending: counts.pending };
  return (
    <>
      <ResourceListPage
        label={words.tabs.firing}
        meta={() => meta}
        intro={tabs}
        source={alertsSource(place, view)}
        {...{ columns }}
        rowKey={alertKey}
        rowName={subjectName}
        isSortable={false}
        filters={
          <>
            <OptionalChips
              label={words.state}
              value={state}
              onValueChange={(state) => change({ state })}
              all={words.all}
              chips={openStates.map((value) => ({
                value,
                label: alertsCopy.states[value],
                ...(isNarrowed ? {} : { count: words.upTo(countOf[value]) }),
              }))}
            />
            <SeverityChips />
            <ActiveAlertFilters {...{ place }} />
          </>
        }
        isFiltered={state !== undefined || isNarrowed}
        onClearFilters={() =>
          change({ state: undefined, severity: undefined, rule: undefined, device: undefined })
        }
        csvName={words.csvName}
        onOpen={(alert) => void navigate(subjectLink(place, alert) as never)}
        bulkActions={acknowledging.bulkActions}
        allMatching={
          counts.firing === 0
            ? undefined
            : {
                label: isNarrowed ? words.allMatching : words.allThatFire(words.upTo(counts.firing)),
                filter: JSON.stringify(view),
              }
        }
        create={createRuleButton(place)}
        empty={{
          title: words.emptyTitle,
          text: (place.projectId === undefined ? words.emptyInstance : words.emptyText)(
            rules?.rules.length ?? 0,
          ),
          children:
            place.projectId === undefined || rules === undefined ? undefined : (
              <ReadyRules projectId={place.projectId} rules={rules.rules} />
            ),
        }}
      />
      {muting.target !== undefined && (
        <MuteDialog
          key={JSON.stringify(muting.target)}
          {...{ place }}
          target={muting.target}
          open={muting.isOpen}
          onOpenChange={muting.close}
        />
      )}
    </>
  );
}
