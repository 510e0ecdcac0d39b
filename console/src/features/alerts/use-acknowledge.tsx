import type { CallInput } from '@corral/contract';
import { Check } from 'lucide-react';
import { useCallback } from 'react';
import { type Run, useRun } from '../../data/action-mutation.ts';
import type { Alert, AlertPlace } from '../../parts/alerts/alerts.ts';
import { acknowledgeAlerts } from '../../parts/alerts/mutations.ts';
import { alertsCopy } from '../../parts/alerts/copy.ts';
import { confirm } from '../../parts/confirm.ts';
import { orToast } from '../../parts/or-toast.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import type { RowAction } from '../../ui/table/columns.tsx';
import { alertPageCopy } from './copy.ts';

type Matching = NonNullable<CallInput<'alerts_Acknowledge'>['matching']>;

/** As many alerts as one call acknowledges. */
const perCall = 500;

/** Acknowledges one alert, those that are selected, or all that match. */
export function useAcknowledge(place: AlertPlace, matching: Matching) {
  const run = useRun();
  const key = JSON.stringify({ ...place, ...matching });
  const acknowledge = useCallback(
    (alert: Alert) => orToast(alertsCopy.notAcknowledged, acknowledgeSome(run, [alert])),
    [run],
  );
  const bulkActions = useCallback(
    (selected: readonly Alert[], _: Run, isAllMatching: boolean): readonly RowAction[] => {
      const firing = selected.filter(({ state }) => state === 'Firing');
      const action = {
        label: alertsCopy.acknowledge,
        icon: <Check aria-hidden />,
        disabledReason:
          isAllMatching || firing.length > 0 ? undefined : alertPageCopy.acknowledging.noneFires,
      };
      if (!isAllMatching)
        return [
          {
            ...action,
            onSelect: () => orToast(alertsCopy.notAcknowledged, acknowledgeSome(run, firing)),
          },
        ];
      return [{ ...action, onSelect: () => askForAll(run, JSON.parse(key) as Matching) }];
    },
    [run, key],
  );
  return { acknowledge, bulkActions };
}

async function acknowledgeSome(run: Run, alerts: readonly Alert[]): Promise<void> {
  let done = 0;
  for (let at = 0; at < alerts.length; at += perCall) {
    const alertIds = alerts.slice(at, at + perCall).map(({ alertId }) => alertId);
    done += (await run(acknowledgeAlerts, { alertIds })).acknowledged;
  }
  showToast(alertsCopy.acknowledged(done), { tone: 'ok' });
}

function askForAll(run: Run, matching: Matching): Promise<boolean> {
  const { allTitle, text } = alertPageCopy.acknowledging;
  let count = 0;
  return confirm({
    title: allTitle,
    text,
    verb: alertsCopy.acknowledge,
    tone: 'primary',
    action: async () => {
      count = (await run(acknowledgeAlerts, { matching })).acknowledged;
    },
    done: () => alertsCopy.acknowledged(count),
  });
}
