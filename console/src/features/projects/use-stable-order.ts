import { useState } from 'react';

/** Keeps the order of `items`, so that nothing moves under the pointer, until one is added or removed or `key` changes; then `sort` orders them. */
export function useStableOrder<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  sort: (items: readonly Item[]) => Item[],
  key: string,
): Item[] {
  const sorted = () => ({ key, ids: sort(items).map(idOf) });
  const [kept, setKept] = useState(sorted);
  const byId = new Map(items.map((item) => [idOf(item), item]));
  const isSame = kept.key === key && kept.ids.length === items.length && kept.ids.every((id) => byId.has(id));
  const shown = isSame ? kept : sorted();
  if (shown !== kept) setKept(shown);
  return shown.ids.flatMap((id) => byId.get(id) ?? []);
}
