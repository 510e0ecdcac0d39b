import type { Alert, AlertPlace } from '../../parts/alerts/alerts.ts';
import type { AlertsView } from '../../parts/alerts/queries.ts';
import { alertsQuery } from '../../parts/alerts/queries.ts';
import { liveRows } from '../../parts/live-rows.ts';
import type { RowSource } from '../../parts/row-source.ts';

/** By what alerts of a list are told apart. */
export const alertKey = ({ alertId }: Alert): string => alertId;

/** The alerts of a view, read page by page, of which those in sight follow changes. */
export function alertsSource(place: AlertPlace, view: AlertsView): RowSource<Alert> {
  return liveRows({
    queryOf: (after) => alertsQuery(place, { ...view, ...(after === undefined ? {} : { after }) }),
    rowsOf: ({ alerts }) => alerts,
    keyOf: alertKey,
  });
}
