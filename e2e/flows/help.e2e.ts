import { fileURLToPath } from 'node:url';
import { runProgram, startProgram } from '../fixtures/program.ts';
import { expect, test } from '../fixtures/test.ts';

const commandLine = fileURLToPath(new URL('../../cli/dist/corral.mjs', import.meta.url));

test('the header links to help and the command line, and the help page downloads both programs', async ({
  signedIn: page,
}) => {
  await page.goto('/projects');
  const header = page.getByRole('banner').first();
  await header.getByRole('link', { name: 'Command line' }).click();
  await expect(page).toHaveURL('/help#command-line');
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeFocused();
  for (const [link, file] of [
    ['Download the agent', 'corral-agent.mjs'],
    ['Download the command line', 'corral.mjs'],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: link }).click();
    expect((await download).suggestedFilename()).toBe(file);
  }
  await header.getByRole('link', { name: 'Help' }).click();
  await expect(page).toHaveURL('/help');
});

test('the help page leads to the licences of the libraries and fonts', async ({ signedIn: page }) => {
  await page.goto('/help');
  const link = page.getByRole('link', { name: 'Licences of the console' });
  const answer = await page.request.get((await link.getAttribute('href')) ?? '');
  expect(answer.headers()['content-type']).toBe('text/plain; charset=utf-8');
  expect(await answer.text()).toMatch(/^react-dom \d/m);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('help, the command line and the theme are in the navigation', async ({ signedIn: page }) => {
    await page.goto('/projects');
    await page.getByRole('button', { name: 'Open navigation' }).click();
    const drawer = page.getByRole('dialog');
    await expect(drawer.getByRole('link', { name: 'Command line' })).toBeVisible();
    await expect(drawer.getByRole('group', { name: 'Theme' })).toBeVisible();
    await drawer.getByRole('link', { name: 'Help' }).click();
    await expect(page).toHaveURL('/help');
    await expect(drawer).toBeHidden();
  });
});

test('the commands shown for a device run in the command line', async ({
  signedIn: page,
  hub,
  operator,
  connected,
}) => {
  const { deviceId } = connected;
  const properties = async () =>
    Object.keys((await operator.invoke('devices_QueryDeviceProperties', { deviceId })).properties);
  await expect.poll(properties).not.toEqual([]);
  const { token } = await operator.invoke('users_CreateUserToken', { userId: operator.userId, name: 'help' });
  const env = { CORRAL_URL: hub.url, CORRAL_TOKEN: token };
  await page.goto(connected.path);
  await page.getByRole('heading', { name: 'Command line' }).click();
  const blocks = page.getByRole('group', { name: /^command: / });
  await expect(blocks).toHaveCount(4);
  const shown = await blocks.locator('code').allInnerTexts();
  const [show, property, events, forward] = shown.map((command) => command.split(' ').slice(1));
  for (const words of [show, property, events]) {
    const { code, stdout, stderr } = await runProgram(process.execPath, [commandLine, ...(words ?? [])], {
      env,
    });
    expect(code, `corral ${words?.join(' ')}: ${stderr}`).toBe(0);
    expect(stdout).not.toBe('');
  }
  // Port 8080 of this machine may be taken.
  const words = (forward ?? []).map((word) => word.replace(/^8080:/, '0:'));
  const forwarding = startProgram(process.execPath, [commandLine, ...words], { env });
  await forwarding.waitForLine(/127\.0\.0\.1:\d+/);
  await forwarding.stop();
});
