import type { Storages } from '../domains/assets/storage/storages.ts';
import type { EventBus } from '../platform/events/bus.ts';

/** Has changed settings of stores take effect at once, on all nodes; a node that misses the event reads them within seconds. */
export function followStores(bus: EventBus, storages: Pick<Storages, 'refresh'>): void {
  bus.subscribe(({ name }) => {
    if (name === 'repositories_StoreChanged') storages.refresh();
  }, storages.refresh);
}
