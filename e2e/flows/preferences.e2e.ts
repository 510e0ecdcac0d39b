import type { Locator, Page } from '@playwright/test';
import { newToken } from '../fixtures/operator.ts';
import { expect, test } from '../fixtures/test.ts';

const setRightToLeft = `document.addEventListener('readystatechange', () => { document.documentElement.dir = 'rtl'; });`;

/** The value of a colour token on this page. */
const token = (page: Page, name: string): Promise<string> =>
  page.evaluate<string>(`(() => {
    const probe = document.createElement('span');
    probe.style.setProperty('color', 'var(--color-${name})');
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  })()`);

/** The value of a system colour in this browser. */
const system = (page: Page, name: string): Promise<string> =>
  page.evaluate<string>(`(() => {
    const probe = document.createElement('span');
    probe.style.setProperty('color', '${name}');
    probe.style.setProperty('forced-color-adjust', 'none');
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  })()`);

test('with more contrast borders are strong and secondary text is darker, light and dark', async ({
  signedIn: page,
  connected,
}) => {
  await page.goto(connected.path);
  const card = page.getByRole('main').locator('section').filter({ hasText: 'Certificates' }).first();
  const head = page.getByRole('columnheader').first();
  await expect(head).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, contrast: 'no-preference' });
    const [line = '', strong = '', ink2 = '', ink3 = ''] = await Promise.all(
      ['line', 'line-strong', 'ink2', 'ink3'].map((name) => token(page, name)),
    );
    expect(line).not.toBe(strong);
    await expect(card).toHaveCSS('border-top-color', line);
    await expect(head).toHaveCSS('color', ink3);
    await page.emulateMedia({ colorScheme, contrast: 'more' });
    await expect(card).toHaveCSS('border-top-color', strong);
    await expect(head).toHaveCSS('color', ink2);
  }
});

test('forced colours keep borders and focus rings, and show selected items in the highlight colour', async ({
  signedIn: page,
  connected,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(connected.path.replace(/\/[^/]+$/, ''));
  const id = page.getByRole('button', { name: /, copy device ID/ }).first();
  await expect(id).toBeVisible();
  const [highlight, onHighlight] = await Promise.all([
    system(page, 'Highlight'),
    system(page, 'HighlightText'),
  ]);
  // Without forced colours, ID tags and badges are visible only by their background.
  const hasBorder = async (part: Locator) => {
    await expect(part).toHaveCSS('border-top-style', 'solid');
    await expect(part).toHaveCSS('border-top-width', '1px');
  };
  await hasBorder(id.locator('.id-tag'));
  await expect(id.locator('.id-tag')).toHaveCSS('clip-path', 'none');
  const currentLink = page
    .getByRole('navigation', { name: 'Project' })
    .getByRole('link', { name: /^Devices/ });
  const pressedButton = page.getByRole('group').getByRole('button', { name: 'All 1' });
  for (const selected of [currentLink, pressedButton]) {
    await expect(selected).toHaveCSS('background-color', highlight);
    await expect(selected).toHaveCSS('color', onHighlight);
  }
  await page.getByRole('button', { name: 'All 1' }).focus();
  await page.keyboard.press('Tab');
  const focused = page.locator(':focus');
  await expect(focused).toHaveCSS('outline-style', 'solid');
  await expect(focused).toHaveCSS('outline-color', highlight);
  await page.goto(connected.path);
  await hasBorder(page.getByRole('table').getByText('Active', { exact: true }).locator('..'));
});

test('forced colours show the state of a switch by the position and colour of its thumb', async ({
  signedIn: page,
  operator,
  project,
}) => {
  await newToken(operator, project);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`/projects/${project.projectId}/tokens`);
  const control = page.getByRole('switch').first();
  await expect(control).toBeChecked();
  const thumb = control.locator('span').first();
  const [highlight, onHighlight, canvas, ink] = await Promise.all(
    ['Highlight', 'HighlightText', 'Canvas', 'CanvasText'].map((name) => system(page, name)),
  );
  await expect(control).toHaveCSS('background-color', highlight ?? '');
  await expect(thumb).toHaveCSS('background-color', onHighlight ?? '');
  await control.press('Space');
  await expect(control).not.toBeChecked();
  await expect(thumb).toHaveCSS('background-color', ink ?? '');
  expect(ink).not.toBe(canvas);
});

test('from right to left, text keeps its word order, ids stay left to right, and arrows are mirrored', async ({
  signedIn: page,
  operator,
  connected,
}) => {
  const { deviceId, path } = connected;
  await operator.invoke('devices_SetDeviceName', { deviceId, name: 'رافعة 4' });
  await page.addInitScript({ content: setRightToLeft });
  await page.goto(path);
  const heading = page.getByRole('heading', { level: 1, name: 'رافعة 4' });
  await expect(heading).toHaveCSS('unicode-bidi', 'plaintext');
  const sentence = page.getByText('This deletes the device with all its data and cannot be undone.');
  const { first, last } = await edgesOf(sentence);
  expect(first, 'the sentence begins at its left').toBeLessThan(last);
  const box = await sentence.boundingBox();
  const card = await page.locator('section').filter({ has: sentence }).last().boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0), 'and stands at the right of its card').toBeGreaterThan(
    (card?.x ?? 0) + (card?.width ?? 0) / 2,
  );
  const tag = page.getByRole('main').getByRole('button', { name: /, copy device ID/ });
  const id = await edgesOf(tag.locator('.font-mono').first());
  expect(id.first).toBeLessThan(id.last);
  const icon = await tag.locator('svg').boundingBox();
  expect(icon?.x, 'the notch is at the right, the icon at the left').toBeLessThan(id.first);
  await expect(tag.locator('.id-tag')).toHaveCSS('clip-path', /^polygon\(100% 50%/);
  const chevron = page.getByRole('navigation', { name: 'Breadcrumb' }).locator('svg').first();
  await expect(chevron).toHaveCSS('scale', '-1 1');
});

/** The horizontal positions of the first and the last character of a text. */
async function edgesOf(target: Locator): Promise<{ first: number; last: number }> {
  await target.evaluate((element) => element.setAttribute('data-measured', ''));
  return target.page().evaluate<{ first: number; last: number }>(`(() => {
    const element = document.querySelector('[data-measured]');
    element.removeAttribute('data-measured');
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    const at = (index) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      return range.getBoundingClientRect().x;
    };
    return { first: at(0), last: at(text.data.trimEnd().length - 1) };
  })()`);
}
