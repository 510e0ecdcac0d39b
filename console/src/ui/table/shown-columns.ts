import type { ColumnChoice } from './column-choice.ts';
import type { DataColumn } from './data-table.ts';

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
