import type { Page } from '@playwright/test';
import { median, visit, type Visitor } from './visit.ts';

/** The devices of the project. */
export const listedDevices = 10_000;
const rounds = 7;
const scrolls = 5;
const slowFrameMs = 34;

const helpers = `
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const type = (text) => {
    const input = document.querySelector('[role="search"] input');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const sortBy = (index) => document.querySelectorAll('thead button')[index].click();
  const rowsInSight = () => [...document.querySelectorAll('tbody tr[data-index]')].slice(0, 3);
  const snapshot = () =>
    [document.querySelector('table')?.getAttribute('aria-rowcount'), ...rowsInSight().map((row) => row.textContent)].join();
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

// Each filter shows other rows than the previous one.
const words = ['crane-1', 'gate', '9', 'reefer-77', '', 'disconnected', 'c'];

/** Medians for a project of 10,000 devices: milliseconds until what the hub has filtered or sorted shows, and the percentage of slow frames. */
export function measureDeviceList(
  visitor: Visitor,
  projectId: string,
): Promise<{ filterMs: number; sortMs: number; slowFramesPercent: number }> {
  return visit(visitor, async (page) => {
    await page.goto(`/projects/${projectId}/devices`);
    await page.getByRole('table').waitFor();
    // The code of the other pages has been loaded by then.
    await page.waitForTimeout(4000);
    const filterMs = await medianOf(rounds, (round) =>
      timeOf(page, `type(${JSON.stringify(words[round % words.length])})`),
    );
    const sortMs = await medianOf(rounds, (round) => timeOf(page, `sortBy(${round % 2})`));
    const slowFramesPercent = await medianOf(scrolls, async () => {
      const frames = await frameTimes(page);
      return (100 * frames.filter((ms) => ms > slowFrameMs).length) / frames.length;
    });
    return { filterMs, sortMs, slowFramesPercent };
  });
}

async function medianOf(times: number, measure: (round: number) => Promise<number>): Promise<number> {
  const figures: number[] = [];
  for (let round = 0; round < times; round += 1) figures.push(await measure(round));
  return median(figures);
}

/** Milliseconds from an event to the end of the frame that shows its result. */
function timeOf(page: Page, interaction: string): Promise<number> {
  return page.evaluate(`(async () => {${helpers}
    await new Promise((resolve) => setTimeout(resolve, 700));
    await nextFrame();
    const before = snapshot();
    const startedAt = performance.now();
    ${interaction};
    await changedFrom(before);
    await nextFrame();
    return performance.now() - startedAt;
  })()`);
}

/** Frame times in milliseconds while scrolling 120 px a frame from the top, about the speed of a fast wheel. */
function frameTimes(page: Page): Promise<number[]> {
  return page.evaluate(`new Promise((resolve) => {
    const frames = [];
    let last = performance.now();
    window.scrollTo(0, 0);
    requestAnimationFrame(function step(now) {
      frames.push(now - last);
      last = now;
      if (frames.length > 240) return resolve(frames.slice(4));
      window.scrollBy(0, 120);
      requestAnimationFrame(step);
    });
  })`);
}
