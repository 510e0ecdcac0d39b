import type { Locator, Page } from '@playwright/test';
import { newProject } from '../fixtures/operator.ts';
import { expect, refusedWith, test } from '../fixtures/test.ts';

interface Box {
  readonly x: number;
  readonly width: number;
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('It is not rendered.');
  return box;
}

const isOnTheRight = async (locator: Locator): Promise<boolean> => {
  const { x, width } = await boxOf(locator);
  return x + width / 2 > 640;
};

/** Every visible text, with its colour, that is neither black nor a dark grey. */
const paleText = `[...document.querySelectorAll('main *')]
  .filter((element) => element.checkVisibility() && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
  .filter((element) => getComputedStyle(element).clip !== 'rect(0px, 0px, 0px, 0px)')
  .map((element) => ({ text: element.textContent.trim().slice(0, 40), colour: getComputedStyle(element).color }))
  .filter(({ colour }) => {
    const [r, g, b] = (colour.match(/[\\d.]+/g) ?? []).map(Number);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 140;
  })`;

/** Reads the pale texts in the moment in which the page switches to print, when a transition would still show the screen's colours. */
const watchSwitchToPrint = `matchMedia('print').addEventListener('change', () => (window.paleTextInPrint = ${paleText}))`;

const paleTextInPrint = (page: Page): Promise<unknown> => page.evaluate('window.paleTextInPrint');

const backgroundOfBody = (page: Page): Promise<string> =>
  page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

test('print shows a device black on white with its full ids, without header and sidebar, also from the dark theme', async ({
  signedIn: page,
  project,
  connected,
}) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference' });
  await page.goto(`/projects/${project.projectId}/devices/${connected.deviceId}`);
  const copyId = page.getByRole('button', { name: /^Copy device ID/ }).first();
  await expect(copyId).not.toContainText(connected.deviceId, { useInnerText: true });
  await page.evaluate(watchSwitchToPrint);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark', reducedMotion: 'no-preference' });
  await expect.poll(() => backgroundOfBody(page)).toBe('rgb(255, 255, 255)');
  await expect(page.locator('body > #app header').first()).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Project' })).toBeHidden();
  await expect(copyId).toContainText(connected.deviceId, { useInnerText: true });
  await expect.poll(() => paleTextInPrint(page), 'nothing too pale for paper').toEqual([]);
});

test('print shows the log black on white, without header and sidebar, also from the dark theme', async ({
  signedIn: page,
  project,
  connected,
}) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference' });
  await page.goto(`/projects/${project.projectId}/log`);
  const table = page.getByRole('table');
  await table.getByText(connected.deviceId.slice(0, 5)).first().waitFor();
  await page.evaluate(watchSwitchToPrint);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark', reducedMotion: 'no-preference' });
  await expect(page.locator('body > #app header').first()).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Project' })).toBeHidden();
  await expect(table).toBeVisible();
  await expect.poll(() => backgroundOfBody(page)).toBe('rgb(255, 255, 255)');
  await expect.poll(() => paleTextInPrint(page), 'nothing too pale for paper').toEqual([]);
});

test('from right to left the sidebar stands on the other side, and ids stay from left to right', async ({
  signedIn: page,
  project,
  connected,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`/projects/${project.projectId}/devices/${connected.deviceId}`);
  const sidebar = page.getByRole('navigation', { name: 'Project' });
  const account = page.getByRole('banner').getByRole('button').last();
  const tag = page.getByRole('button', { name: /^Copy device ID/ }).first();
  await expect(sidebar).toBeVisible();
  expect(await isOnTheRight(sidebar)).toBe(false);
  expect(await isOnTheRight(account)).toBe(true);
  await page.evaluate('document.documentElement.setAttribute("dir", "rtl")');
  expect(await isOnTheRight(sidebar)).toBe(true);
  expect(await isOnTheRight(account)).toBe(false);
  await expect(tag.locator('.font-mono').first()).toHaveCSS('direction', 'ltr');
  const turned = await page.evaluate(
    `[...document.querySelectorAll('main .font-mono')].filter((element) => /[dpuc]_|[0-9A-F]{4} [0-9A-F]{4}/.test(element.textContent) && getComputedStyle(element).direction !== 'ltr').map((element) => element.textContent)`,
  );
  expect(turned, 'ids and fingerprints stay as they are written').toEqual([]);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width, 'no sideways scrolling').toBeLessThanOrEqual(1280);
});

/** Animations and transitions that still run a moment after they began; those of 0.01 ms have ended. */
const running = `document.getAnimations()
  .filter((animation) => animation.playState === 'running' && Number(animation.effect.getComputedTiming().activeDuration) > 1)
  .map((animation) => animation.animationName ?? animation.transitionProperty)`;

test('with reduced motion nothing moves: no animation runs on a page, in a dialog or in a menu', async ({
  signedIn: page,
  operator,
}) => {
  await newProject(operator);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/projects');
  const create = page.getByRole('button', { name: 'Create Project' }).first();
  await create.click();
  await page.getByRole('dialog').waitFor();
  expect(await page.evaluate(running)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('menu').waitFor();
  expect(await page.evaluate(running)).toEqual([]);
});

test('without that wish a dialog fades in, so that the test of reduced motion can see a difference', async ({
  signedIn: page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/projects');
  await page.evaluate(
    `document.addEventListener('transitionrun', () => (window.moved = true)), document.addEventListener('animationstart', () => (window.moved = true))`,
  );
  await page.getByRole('button', { name: 'Create Project' }).first().click();
  await page.getByRole('dialog').waitFor();
  await expect.poll(() => page.evaluate<boolean>('window.moved === true')).toBe(true);
});

test('the sign-in panel stands still under reduced motion', async ({ page, provoked }) => {
  provoked.push(refusedWith(401));
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible();
  expect(await page.evaluate(running)).toEqual([]);
});
