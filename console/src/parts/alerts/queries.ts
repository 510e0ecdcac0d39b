import type { CallInput } from '@corral/contract';
import { actionPageQuery, actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';
import { rowsPerPage } from '../list-limits.ts';
import type { AlertPlace } from './alerts.ts';

/** Which alerts of a place are listed. */
export type AlertsView = Omit<CallInput<'alerts_QueryAlerts'>, keyof AlertPlace | 'all'>;

/** A page of the alerts of a place that a view shows. */
export const alertsQuery = (place: AlertPlace, view: AlertsView = {}) =>
  actionPageQuery('alerts_QueryAlerts', { ...place, limit: rowsPerPage, ...view }, everyMinute);

const inBell = 8;

/** The first of the alerts that fire, of all that the user sees. */
export const firingEverywhereQuery = () =>
  actionPageQuery('alerts_QueryAlerts', { all: true, states: ['Firing'], limit: inBell }, everyMinute);

/** How many alerts there are, of all that the user sees. */
export const alertCountsEverywhereQuery = () => actionQuery('alerts_CountAlerts', { all: true }, everyMinute);

/** How many alerts a place has. */
export const alertCountsQuery = (place: AlertPlace) =>
  actionQuery('alerts_CountAlerts', { ...place }, everyMinute);
