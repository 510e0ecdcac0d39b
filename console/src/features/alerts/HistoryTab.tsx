import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AlertsView } from '../../parts/alerts/queries.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { omitUndefined } from '../../parts/search-values.ts';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { ActiveAlertFilters } from './ActiveAlertFilters.tsx';
import { historyColumns, subjectName } from './alert-columns.tsx';
import { limitsOf } from './alert-days.ts';
import { subjectLink } from './alert-links.ts';
import type { AlertTabProps } from './alert-tab.ts';
import { AlertDaysCard } from './AlertDaysCard.tsx';
import { alertKey, alertsSource } from './alerts-source.ts';
import type { AlertsSearch } from './alerts-search.ts';
import { alertPageCopy as words } from './copy.ts';
import { createRuleButton } from './create-rule-button.ts';
import { SeverityChips } from './SeverityChips.tsx';
import { usePeopleOf } from './use-people-of.ts';

/** What has fired in the last 30 days, as a picture by days and as a list. */
export function HistoryTab({ place, tabs, meta }: AlertTabProps) {
  const [{ severity, rule, device, day }, change] = useUrlSearch<AlertsSearch>();
  const navigate = useNavigate();
  const names = usePeopleOf(place);
  const view: AlertsView = {
    states: ['Firing', 'Acknowledged', 'Resolved'],
    ...omitUndefined({ severity, ruleId: rule, deviceId: device }),
    ...(day === undefined ? {} : limitsOf(day)),
  };
  return (
    <ResourceListPage
      label={words.tabs.history}
      meta={() => meta}
      intro={
        <>
          {tabs}
          <AlertDaysCard {...{ place }} />
        </>
      }
      source={alertsSource(place, view)}
      columns={useMemo(() => historyColumns(place, names), [place, names])}
      rowKey={alertKey}
      rowName={subjectName}
      isSortable={false}
      filters={
        <>
          <SeverityChips />
          <ActiveAlertFilters {...{ place }} />
        </>
      }
      isFiltered={[severity, rule, device, day].some((one) => one !== undefined)}
      onClearFilters={() =>
        change({ severity: undefined, rule: undefined, device: undefined, day: undefined })
      }
      csvName={words.historyCsv}
      onOpen={(alert) => void navigate(subjectLink(place, alert) as never)}
      create={createRuleButton(place)}
      empty={{ title: words.historyTitle, text: words.historyText }}
    />
  );
}
