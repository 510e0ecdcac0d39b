import type { BrowserContext, Page } from '@playwright/test';
import { newProject, newToken, newUser, signInByApi, uniqueName } from '../fixtures/operator.ts';
import { expect, test, useSession } from '../fixtures/test.ts';

const actions = '/api/v1/actions/invoke/';

/** The calls of actions that a page makes, as name and input. */
function recordCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const [, name] = new URL(request.url()).pathname.split(actions);
    if (name !== undefined) calls.push(`${name} ${request.postData()}`);
  });
  return calls;
}

/** How many streams the tabs of a context have opened. */
function recordStreams(context: BrowserContext): { count: number } {
  const streams = { count: 0 };
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/v1/stream') streams.count += 1;
  });
  return streams;
}

const status = (page: Page) => page.getByRole('status').filter({ hasText: /^Live$/ });

test('a page reads everything once; two tabs share a stream, and the second goes on with it when the first is closed', async ({
  page: first,
  context,
  hub,
  operator: administrator,
}) => {
  // Other tests change what the administrator sees.
  const operator = await signInByApi(hub, await newUser(administrator));
  await useSession(first, hub, operator.cookie);
  const project = await newProject(operator);
  const streams = recordStreams(context);
  const path = `/projects/${project.projectId}/tokens`;
  const open = async (page: Page) => {
    const calls = recordCalls(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tokens');
    await expect(status(page)).toBeVisible();
    return calls;
  };
  const callsOfFirst = await open(first);
  const second = await context.newPage();
  const callsOfSecond = await open(second);
  expect(callsOfFirst.length).toBeGreaterThan(3);
  for (const calls of [callsOfFirst, callsOfSecond])
    expect(calls, 'each call once').toEqual([...new Set(calls)]);
  expect(streams.count).toBe(1);

  const before = callsOfFirst.length;
  const shown = (page: Page, name: string) => expect(page.getByRole('cell', { name }).first()).toBeVisible();
  const one = uniqueName('one');
  await newToken(operator, project, { name: one });
  for (const page of [first, second]) await shown(page, one);
  expect(callsOfFirst.length, 'only what changed is read').toBeLessThan(before + 4);

  await first.close();
  // Created while no tab has a stream, or just after: the second resumes where the first one was.
  const two = uniqueName('two');
  await newToken(operator, project, { name: two });
  await shown(second, two);
  await expect.poll(() => streams.count).toBe(2);
  const three = uniqueName('three');
  await newToken(operator, project, { name: three });
  await shown(second, three);
  await expect(status(second)).toBeVisible();
});
