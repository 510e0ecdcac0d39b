import type { Id, Output } from '@corral/contract';
import { actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';

/** Where alerts are: in a project, or without one in the instance. */
export interface AlertPlace {
  readonly projectId?: Id<'project'>;
}

/** The place of the alerts of the instance. */
export const theInstance: AlertPlace = {};

/** An alert. */
export type Alert = Output<'alerts_QueryAlerts'>['alerts'][number];

/** An alert rule with how it stands. */
export type AlertRule = Output<'alerts_QueryRules'>['rules'][number];

/** How soon people should look at an alert. */
export type AlertSeverity = Alert['severity'];

/** The severities, the worst first. */
export const alertSeverities = ['Critical', 'Warning', 'Info'] as const satisfies readonly AlertSeverity[];

/** The rules of a place, by name. */
export const alertRulesQuery = (place: AlertPlace) =>
  actionQuery('alerts_QueryRules', { ...place }, everyMinute);

/** What is muted in a place, the newest first. */
export const alertMutesQuery = (place: AlertPlace) =>
  actionQuery('alerts_QueryMutes', { ...place }, everyMinute);
