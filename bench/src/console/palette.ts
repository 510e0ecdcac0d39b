import { median, visit, type Visitor } from './visit.ts';

const visits = 5;
const openings = 3;
const items = '[role=dialog] [role=option]';

// With Save-Data the console preloads no code.
const saveData = `Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`;

/** Presses the key; resolves with the milliseconds until the end of the frame that shows the first item. */
const open = `new Promise((resolve) => {
  const startedAt = performance.now();
  const observer = new MutationObserver(check);
  observer.observe(document.body, { childList: true, subtree: true });
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }));
  function check() {
    if (document.querySelector(${JSON.stringify(items)}) === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedAt)));
  }
})`;

/** Medians of the time from the key to the first frame of the command palette, before and after its code was loaded. */
export async function measurePalette(visitor: Visitor): Promise<{ coldMs: number; warmMs: number }> {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let count = 0; count < visits; count += 1) {
    const [first = Number.NaN] = await timesToOpen(visitor, 1, saveData);
    cold.push(first);
    warm.push(...(await timesToOpen(visitor, openings)));
  }
  return { coldMs: median(cold), warmMs: median(warm) };
}

function timesToOpen(visitor: Visitor, times: number, script?: string): Promise<number[]> {
  return visit(
    visitor,
    async (page) => {
      await page.goto('/projects');
      await page.getByRole('link', { name: 'Bench' }).first().waitFor();
      // The live stream stays open, so the network may never be idle.
      await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined);
      const taken: number[] = [];
      for (let count = 0; count < times; count += 1) {
        taken.push(await page.evaluate<number>(open));
        await page.keyboard.press('Control+k');
        await page.locator(items).first().waitFor({ state: 'detached' });
      }
      return taken;
    },
    script,
  );
}
