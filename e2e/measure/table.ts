// `node e2e/measure/table.ts`: how fast the list of devices is with 10,000 of them, measured in the browser and printed.
import { chromium, type Page } from '@playwright/test';
import { administrator, newDataDir, removeDataDir, startHubProcess } from '../fixtures/hub-process.ts';
import { newProject, signInByApi } from '../fixtures/operator.ts';
import { enter } from '../fixtures/test.ts';

const rows = 10_000;
const rounds = 7;
const bars = { filterMs: 50, sortMs: 100, frameMs: 32 };

/** The answer of the hub for a project of ten thousand devices: only the browser is measured here. */
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
  const rowsInSight = () => [...document.querySelectorAll('tbody tr[data-index]')].slice(0, 3);
  const look = () =>
    [document.querySelector('table')?.getAttribute('aria-rowcount'), ...rowsInSight().map((row) => row.textContent)].join();
  const otherThan = (before) =>
    new Promise((resolve) => {
      const observer = new MutationObserver(check);
      observer.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
      check();
      function check() {
        if (look() === before) return;
        observer.disconnect();
        resolve();
      }
    });`;

// Each shows other rows than the one before.
const words = ['crane-1', 'gate', '9', 'reefer-77', '', 'disconnected', 'c'];

/** What is done in one round, as a script of the page. */
const deeds = {
  filter: (round: number) => `type(${JSON.stringify(words[round % words.length])})`,
  sort: (round: number) => `sortBy(${round % 2})`,
};

/** From the event to the end of the frame that shows its result, in milliseconds; and the part before the frame. */
function measure(page: Page, deed: string): Promise<{ all: number; script: number }> {
  return page.evaluate(`(async () => {${helpers}
    await new Promise((resolve) => setTimeout(resolve, 700));
    await nextFrame();
    const before = look();
    const startedAt = performance.now();
    ${deed};
    const script = performance.now() - startedAt;
    await otherThan(before);
    await nextFrame();
    return { all: performance.now() - startedAt, script };
  })()`);
}

/** The frames of a scroll by 120 px a frame, about as fast as a wheel can be turned. */
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
  for (const deed of ['filter', 'sort'] as const) {
    const taken = [];
    for (let round = 0; round < rounds; round += 1) taken.push(await measure(page, deeds[deed](round)));
    const all = taken.map((one) => one.all);
    const bar = deed === 'filter' ? bars.filterMs : bars.sortMs;
    print(
      deed,
      `median ${inMs(median(all))}, worst ${inMs(Math.max(...all))}`,
      `script ${taken.map(({ script }) => script.toFixed(0)).join(' ')}; bar ${bar} ms`,
    );
  }
  const frames = await measureScroll(page);
  const slow = frames.filter((ms) => ms > bars.frameMs).length;
  print(
    'scroll',
    `median frame ${inMs(median(frames))}, worst ${inMs(Math.max(...frames))}`,
    `${slow} of ${frames.length} over ${bars.frameMs} ms`,
  );
}

function print(name: string, figure: string, note: string): void {
  process.stdout.write(`${name.padEnd(8)} ${figure.padEnd(48)} ${note}\n`);
}

const dataDir = await newDataDir();
const hub = await startHubProcess(dataDir);
const browser = await chromium.launch({
  executablePath: process.env['CORRAL_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
});
try {
  const { projectId } = await newProject(await signInByApi(hub));
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await enter(page, hub, administrator);
  process.stdout.write(`${rows.toLocaleString('en')} devices in ${browser.version()}, ${rounds} rounds\n`);
  await run(page, hub.url, projectId);
} finally {
  await browser.close();
  await hub.stop();
  await removeDataDir(dataDir);
}
