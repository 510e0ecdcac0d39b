import { tableCopy } from './copy.ts';
import type { RowAction } from './columns.tsx';

/** A row that a list shows before the hub has it: its actions are disabled until the list is read again, since the hub would refuse them. */
export const unsavedRow = <Row extends object>(row: Row): Row & { isUnsaved: true } => ({
  ...row,
  isUnsaved: true,
});

/** The actions on rows, disabled while the hub does not have all of these. */
export function actionsWhenSaved(
  actions: readonly RowAction[],
  rows: readonly unknown[],
): readonly RowAction[] {
  if (!rows.some((row) => (row as { isUnsaved?: true }).isUnsaved)) return actions;
  return actions.map((action) =>
    action.isNavigation === true ? action : { ...action, disabledReason: tableCopy.unsaved },
  );
}
