import { useQuery } from '@tanstack/react-query';
import type { AlertPlace } from '../../parts/alerts/alerts.ts';
import { alertCountsQuery } from '../../parts/alerts/queries.ts';
import { PageTabs } from '../../parts/PageTabs.tsx';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { alertsLink } from './alert-links.ts';
import { type AlertsSearch, alertTabs } from './alerts-search.ts';
import { alertPageCopy as words } from './copy.ts';
import { FiringTab } from './FiringTab.tsx';
import { HistoryTab } from './HistoryTab.tsx';
import { MutedTab } from './MutedTab.tsx';
import { RulesTab } from './RulesTab.tsx';

/** The alerts of a project or of the instance: what fires, what has fired, the rules, and what is muted. */
export function AlertsPage({ place }: { place: AlertPlace }) {
  const [{ tab }] = useUrlSearch<AlertsSearch>();
  const { data: counts } = useQuery(alertCountsQuery(place));
  const tabs = (
    <div className="mb-5">
      <PageTabs
        label={words.tabs.label}
        tabs={[undefined, ...alertTabs].map((one) => ({
          name: words.tabs[one ?? 'firing'],
          link: alertsLink(place, one === undefined ? {} : { tab: one }),
          isOpen: tab === one,
        }))}
      />
    </div>
  );
  const meta = counts === undefined ? words.text : words.summary(counts.firing, counts.acknowledged);
  const Tab =
    tab === 'history' ? HistoryTab : tab === 'rules' ? RulesTab : tab === 'muted' ? MutedTab : FiringTab;
  return <Tab {...{ place, tabs, meta }} />;
}
