// `node e2e/measure/palette.ts`: how soon the first frame of the command palette shows, measured in the browser and printed.
import { chromium, type Browser } from '@playwright/test';
import { newDataDir, removeDataDir, startHubProcess } from '../fixtures/hub-process.ts';
import { newProject, signInByApi } from '../fixtures/operator.ts';
import { enter } from '../fixtures/test.ts';

const visits = 5;
const openings = 3;
const bars = { coldMs: 120, loadedMs: 50 };
const palette = '[role=dialog] [role=option]';

// Where the user saves data, nothing is loaded ahead of the key.
const saveData = `Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`;

/** Presses the key, and answers the time until the end of the frame that shows the first line, in milliseconds. */
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
  isAhead: boolean,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    await enter(page, hub);
    if (!isAhead) await context.addInitScript({ content: saveData });
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

function print(name: string, taken: readonly number[], barMs: number): void {
  const sorted = taken.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  process.stdout.write(
    `${name.padEnd(24)} median ${median.toFixed(1)} ms, worst ${(sorted.at(-1) ?? 0).toFixed(1)} ms; bar ${barMs} ms\n`,
  );
}

const dataDir = await newDataDir();
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
  print('cold, code to be loaded', firsts(cold), bars.coldMs);
  print('first, code loaded', firsts(loaded), bars.loadedMs);
  print(
    'opened before',
    [...cold, ...loaded].flatMap(({ later }) => later),
    bars.loadedMs,
  );
} finally {
  await browser.close();
  await hub.stop();
  await removeDataDir(dataDir);
}
