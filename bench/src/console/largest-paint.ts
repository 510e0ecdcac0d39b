import { setTimeout as pause } from 'node:timers/promises';
import { median, visit, type Visitor } from './visit.ts';

const slowdown = 4;
const loads = 7;
/** Wait after the selector appears, so that later, larger paints count. */
const settledAfterMs = 1_000;

const observe = `new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) globalThis.largestPaint = startTime;
}).observe({ type: 'largest-contentful-paint', buffered: true });`;

/** The largest contentful paint in ms after the navigation began: the median of cold loads on a slowed CPU. */
export async function largestPaintMs(visitor: Visitor, path: string, selector: string): Promise<number> {
  const paints: number[] = [];
  for (let count = 0; count < loads; count += 1)
    paints.push(
      await visit(
        visitor,
        async (page) => {
          const session = await page.context().newCDPSession(page);
          await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
          await page.goto(path);
          await page.locator(selector).first().waitFor();
          await pause(settledAfterMs);
          return page.evaluate<number>('globalThis.largestPaint');
        },
        observe,
      ),
    );
  return median(paints);
}
