import { freePorts } from '@corral/tools';
import { administrator } from '../fixtures/hub-process.ts';
import { expect, signIn, test } from '../fixtures/test.ts';

test('on plain http, where browsers have no clipboard API, people sign in and ids are copied', async ({
  startHub,
  page,
}) => {
  const [port] = await freePorts(1);
  // The browser resolves it to loopback, see playwright.config.ts. Other than loopback itself, it is no secure context.
  const hub = await startHub({
    CORRAL_PORT: `${port}`,
    CORRAL_PUBLIC_URL: `http://plain.example:${port}`,
    CORRAL_ALLOW_INSECURE_HTTP: 'true',
    CORRAL_DEVICE_CERTIFICATE_HEADER: 'off',
  });
  await page.goto(`${hub.url}/login?redirect=/admin/users`);
  await signIn(page, administrator);
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  expect(await page.evaluate('[window.isSecureContext, navigator.clipboard]')).toEqual([false, undefined]);
  const tag = page
    .getByRole('row', { name: administrator.email })
    .getByRole('button', { name: /, copy user ID/ });
  await tag.click();
  await expect(page.getByText('Copied user ID').first()).toBeAttached();
  await expect(tag).toBeFocused();
  const field = page.getByRole('searchbox', { name: 'Filter users' });
  await field.focus();
  await page.keyboard.press('Control+V');
  await expect(field).toHaveValue(/^u_\w{22}$/);
  await expect(page.getByRole('row', { name: administrator.email })).toBeVisible();
});
