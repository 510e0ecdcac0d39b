import { asSearch, searchText } from '../../../parts/search-values.ts';
import { parseTableSearch, type TableSearch } from '../../../parts/table-search.ts';

/** The search parameters of a page with files: those of the table, and the file that is open in the drawer. */
export type FileSearch = TableSearch & { file?: string };

/** Reads the search parameters of a page with files. */
export function parseFileSearch(search: Record<string, unknown>): FileSearch {
  return { ...parseTableSearch(search), ...asSearch({ file: searchText(search['file']) }) };
}
