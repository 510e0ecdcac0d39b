import type { DataColumn } from './data-table.ts';

/** The ids of the optional columns that are shown. */
export type ColumnChoice = readonly string[];

/** The optional columns in the order of the table, and whether each is shown by default. */
export type ColumnDefaults = Readonly<Record<string, NonNullable<DataColumn<never>['byDefault']>>>;

const none = 'none';
// The router writes it into a URL as it is.
const separator = '.';

/** Parses a choice from the URL, e.g. "status.hostname"; undefined without a known column, and for what is shown by default. */
export function parseColumns(text: string | undefined, defaults: ColumnDefaults): ColumnChoice | undefined {
  if (text === none) return isDefault([], defaults) ? undefined : [];
  const named = new Set(text?.split(separator));
  const chosen = Object.keys(defaults).filter((id) => named.has(id));
  return chosen.length === 0 || isDefault(chosen, defaults) ? undefined : chosen;
}

/** Formats a choice for the URL. */
export function formatColumns(choice: ColumnChoice | undefined): string | undefined {
  return choice?.length === 0 ? none : choice?.join(separator);
}

function isDefault(chosen: ColumnChoice, defaults: ColumnDefaults): boolean {
  return Object.entries(defaults).every(([id, byDefault]) => chosen.includes(id) === (byDefault === 'shown'));
}
