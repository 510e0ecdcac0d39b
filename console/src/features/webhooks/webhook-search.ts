import { asSearch, searchChoice } from '../../parts/search-values.ts';

/** How messages may stand, in the order in which they are offered. */
export const deliveryStatuses = ['Waiting', 'Accepted', 'Failed'] as const;

/** The search parameters of a webhook: which of its messages are listed. */
export type WebhookSearch = { status?: (typeof deliveryStatuses)[number] };

/** Parses the search parameters of a webhook; invalid values are dropped. */
export function parseWebhookSearch(search: Record<string, unknown>): WebhookSearch {
  return asSearch({ status: searchChoice(search['status'], deliveryStatuses) });
}
