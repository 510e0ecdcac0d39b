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
    for (const name of [/^Actions for/, 'Views', 'Columns', 'Administrator']) {
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
