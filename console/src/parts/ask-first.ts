import type { RowAction } from '../ui/table/columns.tsx';
import { confirm, type Confirmation } from './confirm.ts';

type Question = Omit<RowAction, 'onSelect' | 'tone'> &
  Omit<Confirmation, 'verb'> & {
    verb?: string;
    /** Sets it apart in a menu. */
    isDangerous?: boolean;
  };

/** An action on a row that asks first. By default the title names its button for who does not see the row, and the dialog's button has the same label. */
export function askFirst({
  label,
  icon,
  disabledReason,
  title,
  name = title,
  verb = label,
  isDangerous = false,
  ...question
}: Question): RowAction {
  const onSelect = () => void confirm({ title, verb, ...question });
  return { label, name, icon, disabledReason, tone: isDangerous ? 'danger' : undefined, onSelect };
}
