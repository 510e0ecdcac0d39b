import { orderKey } from '@corral/contract';
import type { CellValue } from './data-table.ts';

/** The key that a value is compared by: numbers and times as numbers, text as the hub sorts names. Computed once per value, because a collator is too slow for ten thousand rows. */
export function sortKey(value: CellValue): number | string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? orderKey(value) : Number(value);
}
