import type { Id } from '@corral/contract';
import type { LinkProps } from '@tanstack/react-router';
import type { Alert, AlertPlace } from '../../parts/alerts/alerts.ts';
import type { AlertsSearch } from './alerts-search.ts';
import type { NewRuleSearch } from './rule/new-rule-search.ts';

/** The page of the alerts of a place. */
export function alertsLink({ projectId }: AlertPlace, search: AlertsSearch = {}): LinkProps {
  return projectId === undefined
    ? { to: '/admin/alerts', search }
    : { to: '/projects/$projectId/alerts', params: { projectId }, search };
}

/** The page of an alert rule. */
export function ruleLink({ projectId }: AlertPlace, ruleId: Id<'alertRule'>): LinkProps {
  return projectId === undefined
    ? { to: '/admin/alerts/rules/$ruleId', params: { ruleId } }
    : { to: '/projects/$projectId/alerts/rules/$ruleId', params: { projectId, ruleId } };
}

/** The page that makes an alert rule. */
export function newRuleLink({ projectId }: AlertPlace, search: NewRuleSearch = {}): LinkProps {
  return projectId === undefined
    ? { to: '/admin/alerts/rules/new', search }
    : { to: '/projects/$projectId/alerts/rules/new', params: { projectId }, search };
}

/** What an alert is about; its rule where that is no device and no operation. */
export function subjectLink(place: AlertPlace, { deviceId, fleetOperationId, ruleId }: Alert): LinkProps {
  const { projectId } = place;
  if (projectId !== undefined && deviceId !== undefined)
    return { to: '/projects/$projectId/devices/$deviceId', params: { projectId, deviceId } };
  if (projectId !== undefined && fleetOperationId !== undefined)
    return {
      to: '/projects/$projectId/operations/$operationId',
      params: { projectId, operationId: fleetOperationId },
    };
  return ruleLink(place, ruleId);
}
