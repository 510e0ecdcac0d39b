import { asSearch, searchChoice, searchText } from '../../../parts/search-values.ts';

/** What rules of a project look for, in the order in which it is offered. */
export const projectKinds = ['Offline', 'Missing', 'Matching', 'Events', 'Operations', 'Quota'] as const;

/** The search parameters of a new rule: what other pages hand over. */
export type NewRuleSearch = { kind?: (typeof projectKinds)[number]; q?: string };

/** Parses the search parameters; invalid values are dropped. */
export function parseNewRuleSearch(search: Record<string, unknown>): NewRuleSearch {
  return asSearch({ kind: searchChoice(search['kind'], projectKinds), q: searchText(search['q']) });
}
