import type { Locator } from '@playwright/test';
import { newRepository } from '../fixtures/repository.ts';
import { expect, test } from '../fixtures/test.ts';

test.use({ hasTouch: true });

test.describe('on a phone', () => {
  const [width, height] = [390, 844];
  test.use({ viewport: { width, height } });

  test('menus are sheets at the bottom edge, which a tap above them closes', async ({
    signedIn: page,
    connected,
  }) => {
    await page.goto(connected.path.replace(/\/[^/]+$/, ''));
    const menu = page.getByRole('menu');
    for (const name of [/^Actions for/, 'Options for Devices', 'Administrator']) {
      await page.getByRole('button', { name }).first().tap();
      await expect
        .poll(async () => {
          const box = await menu.boundingBox();
          return box && [box.x, box.width, box.y + box.height];
        })
        .toEqual([0, width, height]);
      await page.touchscreen.tap(width / 2, 30);
      await expect(menu).toBeHidden();
    }
  });
});

test.describe('on a large touch screen', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  /** Whether presses 21 px above, below and beside the centre of an element reach it. */
  const isLargeTarget = (target: Locator) =>
    target.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const ways = [
        [0, -21],
        [0, 21],
        [-21, 0],
        [21, 0],
      ] as const;
      const labelled = (element as { labels?: Iterable<typeof element> | null }).labels ?? [];
      return ways.every(([right, down]) => {
        const hit = element.ownerDocument.elementFromPoint(x + right, y + down);
        return [element, ...labelled].some((one) => one.contains(hit));
      });
    });

  async function expectLargeTargets(targets: Readonly<Record<string, Locator>>): Promise<void> {
    for (const [name, target] of Object.entries(targets)) {
      await expect(target.first(), name).toBeVisible();
      await expect.poll(() => isLargeTarget(target.first()), name).toBe(true);
    }
  }

  test('what is pressed is 44 px high and wide', async ({ signedIn: page, operator, connected }) => {
    const repository = await newRepository(operator);
    const project = connected.path.replace(/\/devices\/.*$/, '');
    await page.goto(`${project}/devices`);
    await page.getByRole('combobox', { name: 'Filter by name or ID' }).fill('d_');
    await expectLargeTargets({
      'a link of the header': page.getByRole('link', { name: 'Repositories', exact: true }),
      'a column header': page.getByRole('columnheader', { name: 'Name' }).getByRole('button'),
      'the button that clears a filter': page.getByRole('button', { name: 'Clear' }),
    });
    await page.goto(`${project}/log`);
    const table = page.getByRole('table', { name: 'Log' });
    await expectLargeTargets({
      'an id': table.getByRole('button', { name: /, copy / }),
      'a time': table.locator('button:has(time)'),
      'a type': table.getByRole('button', { name: /_/ }),
    });
    await page.goto('/settings/profile');
    await expectLargeTargets({ 'a switch': page.locator('label', { has: page.getByRole('switch') }) });
    await page.goto('/settings/security');
    await expectLargeTargets({
      'the toggle of a password': page.getByRole('button', { name: 'Show password' }),
    });
    await page.goto(`${project}/devices`);
    await page.getByRole('button', { name: 'Connect a device' }).tap();
    await expectLargeTargets({
      'the button that closes a dialog': page.getByRole('dialog').getByRole('button', { name: 'Close' }),
    });
    await page.goto(`${project}/repositories`);
    await page.getByRole('combobox').first().fill(repository.name);
    await page.getByRole('option', { name: repository.name }).tap();
    const field = page.getByRole('group').filter({ has: page.getByRole('combobox') });
    await expectLargeTargets({
      'the button that clears a choice': field.getByRole('button').first(),
      'the button that shows all choices': field.getByRole('button').last(),
    });
  });
});
