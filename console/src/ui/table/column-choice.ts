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

/** The columns to show: all that are not optional, and the chosen ones. */
export function shownColumns<Row>(
  columns: readonly DataColumn<Row>[],
  choice: ColumnChoice | undefined,
): readonly DataColumn<Row>[] {
  return columns.filter((column) => column.byDefault === undefined || isShown(column, choice));
}

/** The choice after a column was shown or hidden; undefined where that is what is shown by default. */
export function toggleColumn<Row>(
  columns: readonly DataColumn<Row>[],
  choice: ColumnChoice | undefined,
  toggled: string,
): ColumnChoice | undefined {
  const optional = columns.filter(({ byDefault }) => byDefault !== undefined);
  const isChosen = (column: DataColumn<Row>) => isShown(column, choice) !== (column.id === toggled);
  const isAsAtFirst = optional.every((column) => isChosen(column) === isShown(column, undefined));
  return isAsAtFirst ? undefined : optional.filter(isChosen).map(({ id }) => id);
}

/** Whether a column that people may hide is shown. */
export function isShown<Row>({ id, byDefault }: DataColumn<Row>, choice: ColumnChoice | undefined): boolean {
  return choice === undefined ? byDefault === 'shown' : choice.includes(id);
}

function isDefault(chosen: ColumnChoice, defaults: ColumnDefaults): boolean {
  return Object.entries(defaults).every(([id, byDefault]) => chosen.includes(id) === (byDefault === 'shown'));
}
