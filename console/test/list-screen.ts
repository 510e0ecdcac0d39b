import type { AnswerTable } from '@corral/client';
import type { ActionName, CallInput, LiveChange } from '@corral/contract';

/** A list screen, as `list-screens.test.tsx` tests it: every screen that is built on the layer of list pages has an entry. */
export interface ListScreen {
  /** The file that renders the list, below console/src. */
  readonly file: string;
  readonly address: string;
  /** The accessible name of its table. */
  readonly table: string;
  readonly columns: readonly string[];
  /** The title of the empty list. */
  readonly empty: string;
  /** The answers of the hub while the list has these rows, of which `rows` has two. */
  readonly answers: (rows: readonly never[]) => AnswerTable;
  readonly rows: readonly [object, object];
  /** The texts by which the rows are found. */
  readonly texts: readonly [string, string];
  /** A text that only the first row has, such as its id, by which `?q=` finds it; null where the filter is in the grammar of the hub. */
  readonly finds: string | null;
  /** A column whose ascending order is the reverse of `rows`, and its id in the URL. */
  readonly sort?: { readonly header: string; readonly id: string };
  /** How the first row is removed. */
  readonly removal?: Removal;
  readonly change: LiveChange;
  /** The button that shows new rows, where they wait for it. */
  readonly showNew?: string;
}

interface Removal {
  /** The buttons and menu items that lead to the dialog, by name. */
  readonly path: readonly string[];
  readonly dialog: string;
  readonly typedName?: string;
  readonly verb: string;
  readonly action: ActionName;
  readonly input: object;
}

/** A removal whose action and input belong together. */
export const removalOf = <Name extends ActionName>(
  action: Name,
  input: CallInput<Name>,
  more: Omit<Removal, 'action' | 'input'>,
): Removal => ({ action, input, ...more });
