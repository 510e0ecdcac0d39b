import type { Alert, AlertPlace } from '../../parts/alerts/alerts.ts';
import type { AlertsView } from '../../parts/alerts/queries.ts';
import { alertsQuery } from '../../parts/alerts/queries.ts';
import { failureOf, moreLiveRows } from '../../parts/more-live-rows.ts';
import type { RowSource } from '../../parts/row-source.ts';
import { useLivePages } from '../../parts/use-live-pages.ts';

/** By what alerts of a list are told apart. */
export const alertKey = ({ alertId }: Alert): string => alertId;

/** The alerts of a view, read page by page, of which those in sight follow changes. */
export function alertsSource(place: AlertPlace, view: AlertsView): RowSource<Alert> {
  return function useAlerts() {
    const pages = useLivePages({
      queryOf: (after) => alertsQuery(place, { ...view, ...(after === undefined ? {} : { after }) }),
      rowsOf: ({ alerts }) => alerts,
      keyOf: alertKey,
      isEnabled: true,
    });
    const { rows, readAllRows, onRowsInSight, loadMore } = pages;
    return {
      rows,
      failure: failureOf(pages),
      isServerSide: true,
      readAllRows,
      onRowsInSight,
      ...(loadMore === undefined ? {} : { more: moreLiveRows(pages, rows?.length ?? 0) }),
    };
  };
}
