import type { AnyRouter } from '@tanstack/react-router';
import { loadBigIntJson } from '../data/parse-answer.ts';
import { loadTooltip } from '../ui/overlay/load-tooltip.ts';
import { loadPalette } from './palette/load-palette.ts';

const afterMs = 1000;

/**
 * Loads the code of the signed-in pages while the browser is idle, so that the next page opens at once, even when the hub is
 * unreachable or was upgraded meanwhile; the administration only for administrators. Does nothing when the user asks to save data. Returns a function that cancels it.
 */
export function preloadChunks(router: AnyRouter, isAdmin: boolean): () => void {
  if (isDataSaverOn() || typeof requestIdleCallback !== 'function') return () => {};
  const queue: (() => Promise<unknown> | undefined)[] = [
    loadPalette,
    loadTooltip,
    loadBigIntJson,
    ...Object.values(router.routesById)
      .filter(({ id }) => id.startsWith('/_guard/') && (isAdmin || !id.startsWith('/_guard/admin')))
      .map((route) => () => router.loadRouteChunk(route)),
  ];
  let handle = 0;
  // One at a time, each when the page is idle, so that preloading never delays what the user asked for.
  function next(): void {
    const load = queue.shift();
    if (load === undefined) return;
    // A failure is ignored here: the chunk is loaded again when it is needed, and a failure then shows.
    const again = () => (handle = requestIdleCallback(next));
    Promise.resolve(load()).then(again, again);
  }
  const timer = window.setTimeout(() => (handle = requestIdleCallback(next)), afterMs);
  return () => {
    window.clearTimeout(timer);
    cancelIdleCallback(handle);
    queue.length = 0;
  };
}

function isDataSaverOn(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
