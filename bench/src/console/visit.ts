import type { Browser, Page } from '@playwright/test';
import type { BenchHub } from '../bench-hub.ts';

/** Who visits which hub with which browser; with a session cookie, `name=value`, a user who is signed in. */
export interface Visitor {
  readonly browser: Browser;
  readonly hub: BenchHub;
  readonly cookie?: string;
}

/** Runs a measurement on a page of a new browser context, so that nothing is cached; `script` runs before those of each page. */
export async function visit<Result>(
  { browser, hub, cookie }: Visitor,
  measure: (page: Page) => Promise<Result>,
  script?: string,
): Promise<Result> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    baseURL: hub.url,
    reducedMotion: 'reduce',
  });
  try {
    const [name = '', value = ''] = cookie?.split('=') ?? [];
    const domain = new URL(hub.url).hostname;
    if (cookie !== undefined)
      await context.addCookies([{ name, value, domain, path: '/', secure: true, httpOnly: true }]);
    if (script !== undefined) await context.addInitScript({ content: script });
    return await measure(await context.newPage());
  } finally {
    await context.close();
  }
}

/** The median of the figures. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
