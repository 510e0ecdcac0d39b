import type { RowAction } from './columns.tsx';
import { RowActionItems } from './RowActionItems.tsx';
import { RowMenu } from './RowMenu.tsx';

/** The menu of a row: Copy ID, then its actions, the dangerous ones below a rule. */
export function RowActionMenu({
  id,
  name,
  what,
  actions,
}: {
  id: string;
  name: string;
  /** The id by name, e.g. "token ID". */
  what: string;
  actions: () => readonly RowAction[];
}) {
  return <RowMenu name={name}>{() => <RowActionItems id={id} what={what} actions={actions()} />}</RowMenu>;
}
