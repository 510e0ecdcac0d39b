import type { Locator, Page } from '@playwright/test';
import { newProject } from '../fixtures/operator.ts';
import { expect, refusedWith, test } from '../fixtures/test.ts';

interface Box {
  readonly x: number;
  readonly width: number;
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('The element is not rendered.');
  return box;
}

const isOnTheRight = async (locator: Locator): Promise<boolean> => {
  const { x, width } = await boxOf(locator);
  return x + width / 2 > 640;
};

/** The rendered texts that are neither black nor a dark grey. */
const paleText = `[...document.querySelectorAll('main *')]
  .filter((element) => element.checkVisibility() && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
  .filter((element) => getComputedStyle(element).clip !== 'rect(0px, 0px, 0px, 0px)')
  .map((element) => ({ text: element.textContent.trim().slice(0, 40), colour: getComputedStyle(element).color }))
  .filter(({ colour }) => {
    const [r, g, b] = (colour.match(/[\\d.]+/g) ?? []).map(Number);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 140;
  })`;

/** Reads the pale texts at the moment when the page switches to print; a running transition would still have the colours of the screen. */
const watchSwitchToPrint = `matchMedia('print').addEventListener('change', () => (window.paleTextInPrint = ${paleText}))`;

const coloursOfBody = `[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]`;

/** Switches the dark page to print, with transitions enabled, and expects the print colours immediately. */
async function print(page: Page): Promise<void> {
  await page.evaluate(watchSwitchToPrint);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark', reducedMotion: 'no-preference' });
  const colours = () => page.evaluate<string[]>(coloursOfBody);
  await expect.poll(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  const paleTextInPrint = () => page.evaluate('window.paleTextInPrint');
  await expect.poll(paleTextInPrint, 'nothing too pale for paper').toEqual([]);
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.locator('body > #app header').first()).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Project' })).toBeHidden();
}

test('print shows a device black on white with full ids, address and time, without header and sidebar, also from the dark theme', async ({
  signedIn: page,
  connected,
}) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference' });
  await page.goto(connected.path);
  const copyId = page.getByRole('button', { name: /, copy device ID/ }).first();
  await expect(copyId).not.toContainText(connected.deviceId, { useInnerText: true });
  await print(page);
  await expect(copyId).toContainText(connected.deviceId, { useInnerText: true });
  await expect(page.getByText(connected.deviceId).filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByText(page.url())).toBeVisible();
  await expect(page.getByText(/^printed /)).toBeVisible();
});

test('print shows the log black on white, without header and sidebar, also from the dark theme', async ({
  signedIn: page,
  project,
  connected,
}) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference' });
  await page.goto(`/projects/${project.projectId}/log`);
  const table = page.getByRole('table');
  await table.getByText(connected.deviceId.slice(-4)).first().waitFor();
  await print(page);
  await expect(table).toBeVisible();
});

test('a printed log has many entries on a page, with their ids in full', async ({
  signedIn: page,
  connected,
}) => {
  await page.goto('/admin/log');
  const table = page.getByRole('table');
  await table.getByText(connected.deviceId.slice(-4)).first().waitFor();
  const entries = await table.getByRole('row').count();
  expect(entries).toBeGreaterThan(8);
  const pdf = await page.pdf({ format: 'A4' });
  const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
  expect(pages).toBeGreaterThan(0);
  expect(pages).toBeLessThan(entries / 2);
});

/** Ids and fingerprints that are not rendered from left to right. */
const reversedIds = `[...document.querySelectorAll('main .font-mono')]
  .filter((element) => /[dpuc]_|[0-9A-F]{4} [0-9A-F]{4}/.test(element.textContent) && getComputedStyle(element).direction !== 'ltr')
  .map((element) => element.textContent)`;

async function expectNoOverflow(page: Page): Promise<void> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
  expect(width, 'no horizontal scrolling').toBeLessThanOrEqual(0);
}

test('from right to left everything is mirrored except ids, and nothing overflows', async ({
  signedIn: page,
  project,
  connected,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(connected.path);
  const sidebar = page.getByRole('navigation', { name: 'Project' });
  const account = page.getByRole('banner').getByRole('button').last();
  const tag = page.getByRole('button', { name: /, copy device ID/ }).first();
  await expect(tag).toBeVisible();
  expect(await isOnTheRight(sidebar)).toBe(false);
  expect(await isOnTheRight(account)).toBe(true);
  await page.evaluate('document.documentElement.setAttribute("dir", "rtl")');
  expect(await isOnTheRight(sidebar)).toBe(true);
  expect(await isOnTheRight(account)).toBe(false);
  await expect(tag.locator('.font-mono').first()).toHaveCSS('direction', 'ltr');
  expect(await page.evaluate(reversedIds), 'ids and fingerprints stay from left to right').toEqual([]);
  await expectNoOverflow(page);

  await sidebar.getByRole('link', { name: /^Devices/ }).click();
  await expect(page).toHaveURL(`/projects/${project.projectId}/devices`);
  const id = page
    .getByRole('table')
    .getByRole('button', { name: /, copy device ID/ })
    .first();
  await expect(id.locator('.font-mono').first()).toHaveCSS('direction', 'ltr');
  expect((await boxOf(sidebar)).x).toBeGreaterThan((await boxOf(page.getByRole('table'))).x);
  await expectNoOverflow(page);
});

/** Animations and transitions that still run; those of 0.01 ms have ended. */
const runningAnimations = `document.getAnimations()
  .filter((animation) => animation.playState === 'running' && Number(animation.effect.getComputedTiming().activeDuration) > 1)
  .map((animation) => animation.animationName ?? animation.transitionProperty)`;

const longestMotionMs = `Math.max(0, ...[...document.querySelectorAll('*')].flatMap((element) => {
  const { animationDuration, transitionDuration } = getComputedStyle(element);
  return (animationDuration + ',' + transitionDuration)
    .split(',')
    .map((text) => Number.parseFloat(text) * (text.trim().endsWith('ms') ? 1 : 1000));
}))`;

async function expectNoMotion(page: Page): Promise<void> {
  expect(await page.evaluate(runningAnimations)).toEqual([]);
  expect(await page.evaluate(longestMotionMs)).toBeLessThan(1);
}

test('with reduced motion nothing is animated on a page, in a dialog or in a menu', async ({
  signedIn: page,
  operator,
}) => {
  await newProject(operator);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/projects');
  const create = page.getByRole('button', { name: 'Create Project' }).first();
  await create.click();
  await page.getByRole('dialog').waitFor();
  await expectNoMotion(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('menu').waitFor();
  await expectNoMotion(page);
});

test('without reduced motion a dialog fades in, so the test above can fail', async ({ signedIn: page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/projects');
  await page.evaluate(
    `document.addEventListener('transitionrun', () => (window.moved = true)), document.addEventListener('animationstart', () => (window.moved = true))`,
  );
  await page.getByRole('button', { name: 'Create Project' }).first().click();
  await page.getByRole('dialog').waitFor();
  await expect.poll(() => page.evaluate<boolean>('window.moved === true')).toBe(true);
});

test('the sign-in panel is not animated with reduced motion', async ({ page, expectedConsoleErrors }) => {
  expectedConsoleErrors.push(refusedWith(401));
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible();
  expect(await page.evaluate(runningAnimations)).toEqual([]);
});
