import type { TerminalState } from '@corral/contract';
import { asSearch, searchChoice } from '../../parts/search-values.ts';
import { parseTableSearch, type TableSearch } from '../../parts/table-search.ts';

/** The states of terminals, in the order in which they are offered. */
export const terminalStates = ['Waiting', 'Open', 'Ended'] as const satisfies readonly TerminalState[];

/** The search parameters of the list of terminals. */
export type TerminalsSearch = TableSearch & { state?: TerminalState };

/** Parses the search parameters of the list; invalid values are dropped. */
export function parseTerminalsSearch(search: Record<string, unknown>): TerminalsSearch {
  return asSearch({ ...parseTableSearch(search), state: searchChoice(search['state'], terminalStates) });
}
