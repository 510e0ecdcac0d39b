import { useQuery } from '@tanstack/react-query';
import { type AlertPlace, alertRulesQuery } from '../../parts/alerts/alerts.ts';
import { alertsQuery } from '../../parts/alerts/queries.ts';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { ActiveFilter } from '../../ui/table/ActiveFilter.tsx';
import { formatDate } from '../../ui/time/format-time.ts';
import type { AlertsSearch } from './alerts-search.ts';
import { alertPageCopy as words } from './copy.ts';
import { noonOf } from './alert-days.ts';

/** The filters that links bring: a rule, a device, a day. Each goes by a click. */
export function ActiveAlertFilters({ place }: { place: AlertPlace }) {
  const [{ rule, device, day }, change] = useUrlSearch<AlertsSearch>();
  const { data: rules } = useQuery({ ...alertRulesQuery(place), enabled: rule !== undefined });
  const { data: ofDevice } = useQuery({
    ...alertsQuery(place, device === undefined ? {} : { deviceId: device, limit: 1 }),
    enabled: device !== undefined,
  });
  return (
    <>
      {day !== undefined && (
        <ActiveFilter
          name={words.dayIs}
          value={words.days.day(formatDate(noonOf(day)))}
          onRemove={() => change({ day: undefined })}
        />
      )}
      {rule !== undefined && (
        <ActiveFilter
          name={words.ruleIs}
          value={rules?.rules.find(({ ruleId }) => ruleId === rule)?.name ?? rule}
          onRemove={() => change({ rule: undefined })}
        />
      )}
      {device !== undefined && (
        <ActiveFilter
          name={words.deviceIs}
          value={ofDevice?.alerts[0]?.subject ?? device}
          onRemove={() => change({ device: undefined })}
        />
      )}
    </>
  );
}
