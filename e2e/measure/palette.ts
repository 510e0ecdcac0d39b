// `node e2e/measure/palette.ts` prints the time from the key to the first frame of the command palette, measured in the browser.
import { chromium, type Browser } from '@playwright/test';
import { newFolder, removeFolder } from '../fixtures/folders.ts';
import { administrator, startHubProcess } from '../fixtures/hub-process.ts';
import { newProject, signInByApi } from '../fixtures/operator.ts';
import { openSession } from '../fixtures/test.ts';

const visits = 5;
const openings = 3;
const limits = { coldMs: 120, loadedMs: 50 };
const palette = '[role=dialog] [role=option]';

// With Save-Data the console preloads no code.
const saveData = `Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`;

/** Presses the key; resolves with the milliseconds until the end of the frame that shows the first item. */
const open = `new Promise((resolve) => {
  const startedAt = performance.now();
  const observer = new MutationObserver(check);
  observer.observe(document.body, { childList: true, subtree: true });
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }));
  function check() {
    if (document.querySelector(${JSON.stringify(palette)}) === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedAt)));
  }
})`;

interface Visit {
  readonly first: number;
  readonly later: number[];
}

async function visit(
  browser: Browser,
  hub: { url: string },
  project: string,
  isPreloaded: boolean,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    await openSession(page, hub, administrator);
    if (!isPreloaded) await context.addInitScript({ content: saveData });
    await page.goto(`${hub.url}/projects`);
    await page.getByRole('link', { name: project }).waitFor();
    await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined);
    const first = await page.evaluate<number>(open);
    const later: number[] = [];
    for (let count = 0; count < openings; count += 1) {
      await page.keyboard.press('Control+k');
      await page.locator(palette).first().waitFor({ state: 'detached' });
      later.push(await page.evaluate<number>(open));
    }
    return { first, later };
  } finally {
    await context.close();
  }
}

function print(name: string, taken: readonly number[], limitMs: number): void {
  const sorted = taken.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  process.stdout.write(
    `${name.padEnd(24)} median ${median.toFixed(1)} ms, worst ${(sorted.at(-1) ?? 0).toFixed(1)} ms; limit ${limitMs} ms\n`,
  );
}

const dataDir = await newFolder();
const hub = await startHubProcess(dataDir);
const browser = await chromium.launch({
  executablePath: process.env['CORRAL_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
});
try {
  const { name } = await newProject(await signInByApi(hub));
  const cold: Visit[] = [];
  const loaded: Visit[] = [];
  for (let count = 0; count < visits; count += 1) {
    cold.push(await visit(browser, hub, name, false));
    loaded.push(await visit(browser, hub, name, true));
  }
  const firsts = (all: readonly Visit[]) => all.map(({ first }) => first);
  print('cold, code to be loaded', firsts(cold), limits.coldMs);
  print('first, code loaded', firsts(loaded), limits.loadedMs);
  print(
    'opened before',
    [...cold, ...loaded].flatMap(({ later }) => later),
    limits.loadedMs,
  );
} finally {
  await browser.close();
  await hub.stop();
  await removeFolder(dataDir);
}
