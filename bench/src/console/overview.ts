import { median, visit, type Visitor } from './visit.ts';

const slowdown = 4;
const loads = 5;
const changes = 9;
const picture = '[role=img] canvas, [role=img] svg';

// The time at which the dots are there, at the end of the frame that draws them.
const observe = `new MutationObserver((_, observer) => {
  if (document.querySelector(${JSON.stringify(picture)}) === null) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { globalThis.drawnMs = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

// Turns the state of the first device of each answer, and measures the longest task from there to the end of the next frame.
const turnFirst = `globalThis.turnedMs = [];
const text = Response.prototype.text;
let turned = 0;
Response.prototype.text = async function () {
  const body = await text.call(this);
  if (!this.url.endsWith('/projects_GetOverview')) return body;
  const overview = JSON.parse(body);
  const isOn = (turned += 1) % 2 === 1;
  overview.dots = (isOn ? 'A' : 'B') + overview.dots.slice(1);
  overview.groups[0].connected += isOn ? 1 : 0;
  overview.groups[0].disconnected -= isOn ? 1 : 0;
  const answer = JSON.stringify(overview);
  let [last, longest, isDrawn] = [performance.now(), 0, false];
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (isDrawn) globalThis.turnedMs.push(longest);
    else port2.postMessage('');
  };
  port2.postMessage('');
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { isDrawn = true; })));
  return answer;
};`;

// The content security policy of the console forbids what Playwright's own waiting does.
const until = (condition: string): string =>
  `new Promise((resolve) => { const look = () => (${condition} ? resolve() : requestAnimationFrame(look)); look(); })`;

/** Milliseconds from the navigation to the drawn dots of a project's overview: the median of cold loads on a slowed CPU. */
export async function dotsDrawnMs(visitor: Visitor, projectId: string): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < loads; count += 1)
    times.push(
      await visit(
        visitor,
        async (page) => {
          const session = await page.context().newCDPSession(page);
          await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
          await page.goto(`/projects/${projectId}/overview`);
          await page.evaluate(until('globalThis.drawnMs !== undefined'));
          return page.evaluate<number>('globalThis.drawnMs');
        },
        observe,
      ),
    );
  return median(times);
}

/** The longest task in milliseconds from an answer in which a device has another state until it is shown: the median of several; `change` makes the page read again. */
export function changeDrawnMs(
  visitor: Visitor,
  projectId: string,
  change: () => Promise<unknown>,
): Promise<number> {
  return visit(
    visitor,
    async (page) => {
      await page.goto(`/projects/${projectId}/overview`);
      await page.locator(picture).first().waitFor();
      await page.waitForTimeout(4000);
      const before = await page.evaluate<number>('globalThis.turnedMs.length');
      for (let count = 1; count <= changes; count += 1) {
        await change();
        await page.evaluate(until(`globalThis.turnedMs.length >= ${before + count}`));
      }
      return median(await page.evaluate<number[]>(`globalThis.turnedMs.slice(${before})`));
    },
    turnFirst,
  );
}
