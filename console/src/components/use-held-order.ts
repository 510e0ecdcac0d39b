import { useState } from 'react';

/**
 * Keeps the places of `items` while `key` stays the same, however their figures change, so that nothing moves under the
 * pointer. When an item comes or goes, or the `key` is another, `sort` places all anew.
 */
export function useHeldOrder<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  sort: (items: readonly Item[]) => Item[],
  key: string,
): Item[] {
  const place = () => ({ key, ids: sort(items).map(idOf) });
  const [held, setHeld] = useState(place);
  const byId = new Map(items.map((item) => [idOf(item), item]));
  const isSame = held.key === key && held.ids.length === items.length && held.ids.every((id) => byId.has(id));
  const shown = isSame ? held : place();
  if (shown !== held) setHeld(shown);
  return shown.ids.flatMap((id) => byId.get(id) ?? []);
}
