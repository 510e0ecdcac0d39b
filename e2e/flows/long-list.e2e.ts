import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Id } from '@corral/contract';
import { newProject, uniqueName, type Operator } from '../fixtures/operator.ts';
import { expect, test } from '../fixtures/test.ts';

const atOnce = 16;
const listDevices = 'projects_QueryProjectDevices';

async function addDevices(operator: Operator, projectId: Id<'project'>, count: number): Promise<void> {
  let left = count;
  const add = async () => {
    while ((left -= 1) >= 0)
      await operator.invoke('devices_CreateDevice', {
        projectId,
        fingerprint: `d_sk_${randomBytes(22).toString('hex').replaceAll('0', 'z')}`,
      });
  };
  await Promise.all(Array.from({ length: atOnce }, add));
}

/** Which pages of devices a page reads: their cursors, each with the number of rows. */
function recordReads(page: Page): string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith(listDevices)) return;
    const { after, limit } = JSON.parse(request.postData() ?? '{}') as { after?: string; limit?: number };
    reads.push(`${after} ${limit}`);
  });
  return reads;
}

const rowAt = (page: Page, index: number) => page.locator(`tr[data-row-index="${index}"]`);

/** Scrolls by as many rows as a row is away from those that are rendered, until it is in sight. */
async function scrollToRow(page: Page, index: number): Promise<void> {
  await expect(async () => {
    await page.evaluate((to) => {
      const row = document.querySelector<HTMLElement>('tr[data-row-index]');
      const { top = 0, height = 0 } = row?.getBoundingClientRect() ?? {};
      const rows = to - Number(row?.dataset['rowIndex']);
      window.scrollBy(0, top + rows * height - window.innerHeight / 2);
    }, index);
    await expect(rowAt(page, index)).toBeInViewport({ timeout: 1_000 });
  }).toPass();
}

// One after the other, so that the devices are made once.
test.describe.configure({ mode: 'default' });

let projectId: Id<'project'>;

test.beforeAll(async ({ operator }) => {
  ({ projectId } = await newProject(operator));
  await addDevices(operator, projectId, 1_100);
});

test('in a list of 1,100 devices those in sight follow changes, and the others are read when they come into sight', async ({
  signedIn: page,
  operator,
}) => {
  const { devices } = await operator.invoke(listDevices, { projectId });
  const idAt = (index: number) => devices[index]?.deviceId ?? 'd_none';
  const rename = async (index: number) => {
    const name = uniqueName(`row${index}`);
    await operator.invoke('devices_SetDeviceName', { deviceId: idAt(index), name });
    return name;
  };
  await page.goto(`/projects/${projectId}/devices`);
  const table = page.getByRole('table', { name: 'Devices' });
  for (const rows of [501, 1_001, 1_101]) {
    await expect(table).toHaveAttribute('aria-rowcount', String(rows));
    if (rows < 1_101) await page.getByRole('button', { name: 'Load more' }).click();
  }
  // The button is gone, and the page stays where it was.
  await expect(page.getByText('These are all 1,100.')).toBeFocused();
  await expect(rowAt(page, 999)).toBeInViewport();
  await expect(page.getByRole('status').filter({ hasText: /^Live$/ })).toBeVisible();

  await scrollToRow(page, 700);
  const reads = recordReads(page);
  const [last, first] = [await rename(1_050), await rename(10)];
  const inSight = await rename(700);
  await expect(rowAt(page, 700)).toContainText(inSight);
  // The newest devices of the project, and the page in sight; not the last page.
  expect(new Set(reads).size, 'pages that are read').toBeLessThanOrEqual(2);
  expect(reads.every((read) => read.endsWith(' 500'))).toBe(true);
  await operator.invoke('devices_DeleteDevice', { deviceId: idAt(699) });
  await expect(rowAt(page, 699)).toContainText(inSight);

  await scrollToRow(page, 1_049);
  await expect(rowAt(page, 1_049)).toContainText(last);
  await scrollToRow(page, 10);
  await expect(rowAt(page, 10)).toContainText(first);
  await expect(table).toHaveAttribute('aria-rowcount', '1100');
});

test('Back from a device on the second page shows the same rows, and its neighbours are those of the list, which is read on at its end', async ({
  signedIn: page,
  operator,
}) => {
  const { devices } = await operator.invoke(listDevices, { projectId });
  const neighbours = page.getByRole('navigation', { name: 'Other devices of the list' });
  await page.goto(`/projects/${projectId}/devices`);
  const table = page.getByRole('table', { name: 'Devices' });
  await expect(table).toHaveAttribute('aria-rowcount', '501');
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(table).toHaveAttribute('aria-rowcount', '1001');
  await scrollToRow(page, 560);
  const top = async () => (await rowAt(page, 560).boundingBox())?.y ?? 0;
  const before = await top();
  await rowAt(page, 560).getByRole('link', { name: /^View/ }).click();
  await expect(neighbours).toContainText('561 of ');
  await page.goBack();
  await expect(rowAt(page, 560)).toBeInViewport();
  await expect(table).toHaveAttribute('aria-rowcount', '1001');
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(2);

  await page.goto(`/projects/${projectId}/devices/${devices[499]?.deviceId}`);
  await expect(neighbours).toContainText('500 of ');
  await neighbours.getByRole('link', { name: /^Next device/ }).click();
  await expect(page).toHaveURL(new RegExp(`/devices/${devices[500]?.deviceId}$`));
  await expect(neighbours).toContainText('501 of ');
});

test('rows of a long list do not move under the pointer: new devices wait behind a pill, and Load more shows at once', async ({
  signedIn: page,
  operator,
}) => {
  await page.goto(`/projects/${projectId}/devices`);
  const table = page.getByRole('table', { name: 'Devices' });
  await expect(table).toHaveAttribute('aria-rowcount', '501');
  await expect(page.getByRole('status').filter({ hasText: /^Live$/ })).toBeVisible();
  const pill = page.getByRole('button', { name: '1 new device' });
  await rowAt(page, 3).hover();
  const first = await rowAt(page, 0).textContent();
  await addDevices(operator, projectId, 1);
  await expect(pill).toBeVisible();
  await expect(rowAt(page, 0)).toHaveText(first ?? '');
  await pill.click();
  await expect(pill).toBeHidden();
  await expect(rowAt(page, 0)).not.toHaveText(first ?? '');

  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(table).toHaveAttribute('aria-rowcount', /^100[12]$/);
  await expect(page.getByRole('button', { name: /new device/ })).toBeHidden();
});
