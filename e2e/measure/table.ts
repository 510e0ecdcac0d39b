// `node e2e/measure/table.ts` prints how fast the list of 10,000 devices filters, sorts and scrolls, measured in the browser.
import { chromium, type Page } from '@playwright/test';
import { newFolder, removeFolder } from '../fixtures/folders.ts';
import { administrator, startHubProcess } from '../fixtures/hub-process.ts';
import { newProject, signInByApi } from '../fixtures/operator.ts';
import { openSession } from '../fixtures/test.ts';

const rows = 10_000;
const rounds = 7;
const limits = { filterMs: 50, sortMs: 100, frameMs: 32 };

/** A hub's answer with 10,000 devices; only the browser is measured here. */
function manyDevices(): { devices: object[] } {
  const places = ['crane', 'gate', 'reefer', 'weighbridge', 'camera', 'tide-gauge'];
  const devices = Array.from({ length: rows }, (_, index) => ({
    deviceId: `d_${(index * 2_654_435_761).toString(36).padStart(12, 'k')}${index.toString(36).padStart(10, 'q')}`,
    ...(index % 17 !== 0 && { name: `${places[index % places.length]}-${(index * 7919) % rows}` }),
    firstSeen: new Date(Date.UTC(2026, 8, 1) - index * 61_000).toISOString(),
    isConnected: index % 5 !== 0,
    pendingCertificatesCount: index % 97 === 0 ? 1 : 0,
  }));
  return { devices };
}

const helpers = `
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const type = (text) => {
    const input = document.querySelector('input[type="search"]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const sortBy = (index) => document.querySelectorAll('thead button')[index].click();
  const visibleRows = () => [...document.querySelectorAll('tbody tr[data-index]')].slice(0, 3);
  const snapshot = () =>
    [document.querySelector('table')?.getAttribute('aria-rowcount'), ...visibleRows().map((row) => row.textContent)].join();
  const changedFrom = (before) =>
    new Promise((resolve) => {
      const observer = new MutationObserver(check);
      observer.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
      check();
      function check() {
        if (snapshot() === before) return;
        observer.disconnect();
        resolve();
      }
    });`;

// Each filter shows different rows from the previous one.
const words = ['crane-1', 'gate', '9', 'reefer-77', '', 'disconnected', 'c'];

/** The interaction of one round, as a script of the page. */
const interactions = {
  filter: (round: number) => `type(${JSON.stringify(words[round % words.length])})`,
  sort: (round: number) => `sortBy(${round % 2})`,
};

/** Milliseconds from the event to the end of the frame that shows its result, and of its event handlers alone. */
function measure(page: Page, interaction: string): Promise<{ all: number; script: number }> {
  return page.evaluate(`(async () => {${helpers}
    await new Promise((resolve) => setTimeout(resolve, 700));
    await nextFrame();
    const before = snapshot();
    const startedAt = performance.now();
    ${interaction};
    const script = performance.now() - startedAt;
    await changedFrom(before);
    await nextFrame();
    return { all: performance.now() - startedAt, script };
  })()`);
}

/** Frame times in milliseconds while scrolling 120 px a frame, about the speed of a fast wheel. */
function measureScroll(page: Page): Promise<number[]> {
  return page.evaluate(`new Promise((resolve) => {
    const frames = [];
    let last = performance.now();
    requestAnimationFrame(function step(now) {
      frames.push(now - last);
      last = now;
      if (frames.length > 180) return resolve(frames.slice(4));
      window.scrollBy(0, 120);
      requestAnimationFrame(step);
    });
  })`);
}

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
const inMs = (value: number): string => `${value.toFixed(1)} ms`;

async function run(page: Page, url: string, projectId: string): Promise<void> {
  await page.route('**/invoke/projects_QueryProjectDevices', (route) =>
    route.fulfill({ json: manyDevices() }),
  );
  await page.goto(`${url}/projects/${projectId}/devices`);
  await page.getByRole('table').waitFor();
  await page.waitForTimeout(4000);
  for (const kind of ['filter', 'sort'] as const) {
    const taken = [];
    for (let round = 0; round < rounds; round += 1)
      taken.push(await measure(page, interactions[kind](round)));
    const all = taken.map((one) => one.all);
    const limit = kind === 'filter' ? limits.filterMs : limits.sortMs;
    print(
      kind,
      `median ${inMs(median(all))}, worst ${inMs(Math.max(...all))}`,
      `script ${taken.map(({ script }) => script.toFixed(0)).join(' ')}; limit ${limit} ms`,
    );
  }
  const frames = await measureScroll(page);
  const slow = frames.filter((ms) => ms > limits.frameMs).length;
  print(
    'scroll',
    `median frame ${inMs(median(frames))}, worst ${inMs(Math.max(...frames))}`,
    `${slow} of ${frames.length} over ${limits.frameMs} ms`,
  );
}

function print(name: string, figure: string, note: string): void {
  process.stdout.write(`${name.padEnd(8)} ${figure.padEnd(48)} ${note}\n`);
}

const dataDir = await newFolder();
const hub = await startHubProcess(dataDir);
const browser = await chromium.launch({
  executablePath: process.env['CORRAL_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
});
try {
  const { projectId } = await newProject(await signInByApi(hub));
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await openSession(page, hub, administrator);
  process.stdout.write(`${rows.toLocaleString('en')} devices in ${browser.version()}, ${rounds} rounds\n`);
  await run(page, hub.url, projectId);
} finally {
  await browser.close();
  await hub.stop();
  await removeFolder(dataDir);
}
