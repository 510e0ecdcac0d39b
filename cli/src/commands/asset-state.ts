import { isDamaged, type Output } from '@corral/contract';
import type { Style } from '../output/style.ts';
import type { Cell } from '../output/table.ts';

type State = Pick<Output<'repositories_GetAssetDetails'>, 'status' | 'storage'>;

/** The status of an asset or file, unless its store says something worse. */
export function stateOf({ status, storage }: State, style: Style): Cell {
  if (status === 'Dangling') return { text: 'not uploaded', paint: style.yellow };
  if (isDamaged(storage?.status) || storage?.status === 'Error')
    return { text: String(storage?.status).toLowerCase(), paint: style.red };
  return { text: status.toLowerCase(), paint: (text) => text };
}
