import type { Id } from '@corral/contract';
import { asSearch, searchChoice, searchText } from '../../parts/search-values.ts';
import { parseTableSearch, type TableSearch } from '../../parts/table-search.ts';

/** The states of operations, in the order in which they are offered. */
export const operationStatuses = ['Running', 'Paused', 'Draft', 'Completed', 'Failed', 'Cancelled'] as const;
/** The states of the devices of an operation, in the order in which they are offered. */
export const targetStatuses = ['Failed', 'TimedOut', 'Running', 'Pending', 'Succeeded', 'Cancelled'] as const;

/** The search parameters of the list of operations. */
export type OperationsSearch = TableSearch & { status?: (typeof operationStatuses)[number] };

/** Parses the search parameters of the list; invalid values are dropped. */
export function parseOperationsSearch(search: Record<string, unknown>): OperationsSearch {
  return asSearch({
    ...parseTableSearch(search),
    status: searchChoice(search['status'], operationStatuses),
  });
}

/** The search parameters of an operation: which of its devices are listed, and the one that is open. */
export type OperationSearch = {
  q?: string;
  status?: (typeof targetStatuses)[number];
  target?: Id<'deviceOperation'>;
};

/** Parses the search parameters of an operation; invalid values are dropped. */
export function parseOperationSearch(search: Record<string, unknown>): OperationSearch {
  return asSearch({
    q: searchText(search['q']),
    status: searchChoice(search['status'], targetStatuses),
    target: searchText(search['target']) as Id<'deviceOperation'> | undefined,
  });
}
