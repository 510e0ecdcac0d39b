import type { Id } from '@corral/contract';
import { asSearch, searchChoice, searchText } from '../../../parts/search-values.ts';

/** What a new operation does first. */
export const operationKinds = ['install', 'run', 'set'] as const;

/** The search parameters of the page: what other pages hand over. Chosen devices are in the state of the history, where many have room. */
export type NewOperationSearch = {
  kind?: (typeof operationKinds)[number];
  q?: string;
  command?: string;
  repository?: Id<'repository'>;
  package?: Id<'package'>;
  version?: Id<'packageVersion'>;
};

/** Parses the search parameters; invalid values are dropped. */
export function parseNewOperationSearch(search: Record<string, unknown>): NewOperationSearch {
  return asSearch({
    kind: searchChoice(search['kind'], operationKinds),
    q: searchText(search['q']),
    command: searchText(search['command']),
    repository: searchText(search['repository']) as Id<'repository'> | undefined,
    package: searchText(search['package']) as Id<'package'> | undefined,
    version: searchText(search['version']) as Id<'packageVersion'> | undefined,
  });
}
