// Prints `largest-paint <ms>` for one page: the median of cold loads with four times slower CPU. Started by bench/.
import { chromium, type Browser } from '@playwright/test';

const slowdown = 4;
const loads = 5;
/** Wait after the heading appears, so that later, larger paints count. */
const settledAfterMs = 1_000;

const [url = '', selector = 'h1'] = process.argv.slice(2);
const cookie = process.env['CORRAL_SESSION_COOKIE'] ?? '';

const observe = `new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) globalThis.largestPaint = startTime;
}).observe({ type: 'largest-contentful-paint', buffered: true });`;

/** Loads the page with an empty cache; resolves with the largest contentful paint in ms after the navigation began. */
async function load(browser: Browser): Promise<number> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  });
  try {
    const [name = '', value = ''] = cookie.split('=');
    if (cookie !== '')
      await context.addCookies([
        { name, value, domain: new URL(url).hostname, path: '/', secure: true, httpOnly: true },
      ]);
    await context.addInitScript({ content: observe });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(url);
    await page.locator(selector).first().waitFor();
    await new Promise((resolve) => setTimeout(resolve, settledAfterMs));
    return await page.evaluate<number>('globalThis.largestPaint');
  } finally {
    await context.close();
  }
}

const browser = await chromium.launch({
  executablePath: process.env['CORRAL_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
});
try {
  const paints: number[] = [];
  for (let count = 0; count < loads; count += 1) paints.push(await load(browser));
  const median = paints.toSorted((a, b) => a - b)[Math.floor(loads / 2)];
  process.stdout.write(`largest-paint ${median}\n`);
} finally {
  await browser.close();
}
