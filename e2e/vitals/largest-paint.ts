// Prints `largest-paint <ms>` for one page: the middle of cold loads at a quarter of the processor. Started by the measurements of bench/.
import { chromium, type Browser } from '@playwright/test';

const slowdown = 4;
const loads = 5;
/** How long a page is left alone after its heading stands, so that a larger paint still counts. */
const settledAfterMs = 1_000;

const [url = '', selector = 'h1'] = process.argv.slice(2);
const cookie = process.env['CORRAL_SESSION_COOKIE'] ?? '';

const observe = `new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) globalThis.largestPaint = startTime;
}).observe({ type: 'largest-contentful-paint', buffered: true });`;

/** Loads the page once with nothing cached and answers when its largest part was painted, in ms after the navigation began. */
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
  const middle = paints.toSorted((a, b) => a - b)[Math.floor(loads / 2)];
  process.stdout.write(`largest-paint ${middle}\n`);
} finally {
  await browser.close();
}
