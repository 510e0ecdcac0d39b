import type { Id } from '@corral/contract';
import type { QueryClient } from '@tanstack/react-query';
import { type AlertPlace, alertRulesQuery } from '../../../parts/alerts/alerts.ts';

/** Has the rules of a place in the cache, read again where a rule is not among those that were read before: it may be new. */
export async function ensureRule(
  client: QueryClient,
  place: AlertPlace,
  ruleId: Id<'alertRule'>,
): Promise<void> {
  const query = alertRulesQuery(place);
  const { rules } = await client.ensureQueryData(query);
  if (!rules.some((rule) => rule.ruleId === ruleId)) await client.fetchQuery({ ...query, staleTime: 0 });
}
