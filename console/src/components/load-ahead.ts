import type { AnyRouter } from '@tanstack/react-router';
import { loadTooltip } from '../ui/overlay/load-tooltip.ts';
import { loadPalette } from './palette/load-palette.ts';

const afterMs = 1000;

/**
 * Loads the code of the signed-in pages once the browser has nothing else to do, so that the next page opens at once, also
 * when the hub is away or was upgraded meanwhile. Not where the user saves data. Returns the way to call it off.
 */
export function loadAhead(router: AnyRouter): () => void {
  if (savesData() || typeof requestIdleCallback !== 'function') return () => {};
  const waiting: (() => Promise<unknown> | undefined)[] = [
    loadPalette,
    loadTooltip,
    ...Object.values(router.routesById)
      .filter(({ id }) => id.startsWith('/_guard/'))
      .map((route) => () => router.loadRouteChunk(route)),
  ];
  let handle = 0;
  // One after the other, each when the page is idle: never in the way of what was asked for.
  function next(): void {
    const load = waiting.shift();
    if (load === undefined) return;
    // What fails here is loaded again, and said, when it is wanted.
    const again = () => (handle = requestIdleCallback(next));
    Promise.resolve(load()).then(again, again);
  }
  const timer = window.setTimeout(() => (handle = requestIdleCallback(next)), afterMs);
  return () => {
    window.clearTimeout(timer);
    cancelIdleCallback(handle);
    waiting.length = 0;
  };
}

function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
