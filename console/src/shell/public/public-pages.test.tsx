import { cleanup, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { hubOverHttp } from '../../data/hub.ts';
import { renderConsole, signedOut } from '../../../test/render-console.tsx';

const configured = (more: object) => ({
  readConfig: async () => ({
    scripts: [],
    isInsecure: false,
    isRegistrationOpen: true,
    isMailConfigured: true,
    ...more,
  }),
});

test('"/confirm-email: placeholder with stub text only." And a link to sign in', async () => {
  renderConsole('/confirm-email', signedOut);
  const main = await screen.findByRole('main');
  expect(await within(main).findByRole('heading', { level: 1 })).toBeVisible();
  expect(within(main).queryByRole('textbox')).toBeNull();
  expect(within(main).getByRole('link')).toHaveAttribute('href', '/login');
});

test('/reset-password says that it is under construction, and links back', async () => {
  renderConsole('/reset-password', signedOut);
  expect(await screen.findByRole('heading', { level: 1, name: 'Under Construction' })).toBeVisible();
  expect(
    screen.getByText('This feature is currently under construction and will be available soon.'),
  ).toBeVisible();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.getByRole('link', { name: 'Back to sign-in' })).toHaveAttribute('href', '/login');
});

test.each(['/login', '/signup', '/reset-password', '/confirm-email', '/signup/verify', '/nowhere'])(
  '"An optional banner with HTML text, taken from the public config, is shown above the header.": on %s, beside the warning of an unencrypted connection',
  async (address) => {
    const overrides = configured({
      isInsecure: true,
      banner: { text: 'Down on <b>Sunday</b><script>1</script>' },
    });
    renderConsole(address, signedOut, overrides);
    expect(await screen.findByRole('region', { name: 'Connection' })).toHaveTextContent(
      'This connection is not encrypted',
    );
    const notice = screen.getByRole('region', { name: 'Notice' });
    expect(notice).toHaveTextContent(/^Down on Sunday$/);
    expect(notice.querySelector('script')).toBeNull();
  },
);

test('a secure connection shows no warning, and without a website the panel links to the documentation', async () => {
  renderConsole('/login', signedOut, configured({}));
  await screen.findByRole('heading', { level: 1, name: 'Welcome Back' });
  expect(screen.queryByRole('region', { name: 'Connection' })).toBeNull();
  expect(screen.getByRole('link', { name: 'About the product' })).toHaveAttribute('href', '/docs');
});

test('"On large screens it shows a marketing panel with a link to the product website.": "The sign-in page describes the product as ready to use, secure by design, scalable and extensible, integrating with applications, infrastructure and workflows."', async () => {
  renderConsole('/login', signedOut, configured({ productUrl: 'https://corral.example/' }));
  const link = await screen.findByRole('link', { name: 'About the product' });
  expect(link).toHaveAttribute('href', 'https://corral.example/');
  const panel = screen.getByRole('complementary');
  for (const claim of ['Ready to use', 'Secure by design', 'Scalable', 'Extensible'])
    expect(panel).toHaveTextContent(claim);
  expect(panel).toHaveTextContent(/applications.*infrastructure.*workflows/);
});

const contact = { adminContact: 'mailto:mara@harbour.example' };

test('with registration closed the sign-in page has no link to sign up', async () => {
  renderConsole('/login', signedOut, configured({ isRegistrationOpen: false }));
  await screen.findByRole('heading', { level: 1, name: 'Welcome Back' });
  expect(screen.queryByRole('link', { name: 'Sign up' })).toBeNull();
  expect(screen.getByRole('link', { name: /Forgot your password/ })).toBeVisible();
});

test('with registration open or unknown, the sign-in page links to sign-up', async () => {
  renderConsole('/login', signedOut, { readConfig: () => Promise.reject(new Error('away')) });
  expect(await screen.findByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/signup');
});

test('with registration closed /signup says so, names the contact, and links back', async () => {
  renderConsole('/signup', signedOut, configured({ isRegistrationOpen: false, ...contact }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Sign-Up Is Closed' })).toBeVisible();
  expect(screen.getByText(/Sign-up is disabled/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'mara@harbour.example' })).toHaveAttribute(
    'href',
    'mailto:mara@harbour.example',
  );
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.getByRole('link', { name: 'Back to sign-in' })).toHaveAttribute('href', '/login');
});

test('Terms of Service and Privacy Policy are links, to built-in pages where none are configured, and the checkbox still works', async () => {
  const termsUrl = 'https://harbour.example/terms';
  const { user } = renderConsole('/signup', signedOut, configured({ termsUrl }));
  const box = await screen.findByRole('checkbox', {
    name: /^I agree to the Terms of Service \(opens in a new tab\) and Privacy Policy/,
  });
  const terms = screen.getByRole('link', { name: 'Terms of Service' });
  expect(terms).toHaveAttribute('href', termsUrl);
  expect(terms).toHaveAttribute('rel', 'noopener noreferrer');
  expect(screen.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy');
  expect(box).not.toBeChecked();
  await user.click(screen.getByText(/I agree to the/));
  expect(box).toBeChecked();
});

test.each([
  ['/terms', 'Terms of Service'],
  ['/privacy', 'Privacy Policy'],
])('%s is there for visitors', async (address, title) => {
  renderConsole(address, signedOut);
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to sign-up' })).toHaveAttribute('href', '/signup');
});

test('the built-in policies say who is responsible, what is kept and for how long', async () => {
  renderConsole('/terms', signedOut);
  expect(await screen.findByText(/run by its administrator, who is responsible for it/)).toBeVisible();
  expect(screen.getByText(/may be ended at any time/)).toBeVisible();
  cleanup();
  renderConsole('/privacy', signedOut);
  for (const text of [
    /Your account, until it is deleted/,
    /Your sessions, .* 30 days/,
    /kept for 24 months/,
    /its backups/,
  ])
    expect(await screen.findByText(text)).toBeVisible();
});

test.each(['/reset-password', '/nowhere', '/terms', '/privacy'])(
  '%s shows the configured administrator of the hub',
  async (address) => {
    renderConsole(address, signedOut, configured({ adminContact: 'https://help.harbour.example/' }));
    const link = await screen.findByRole('link', { name: 'help.harbour.example' });
    expect(link).toHaveAttribute('href', 'https://help.harbour.example/');
  },
);

test('an unsafe URL is not rendered as a link', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ termsUrl: 'javascript:alert(1)', ...contact }));
  const config = await hubOverHttp({ onVersion: () => {}, onLiveCursor: () => {} }).readConfig();
  vi.unstubAllGlobals();
  expect(config).toEqual({
    ...contact,
    scripts: [],
    isInsecure: false,
    isRegistrationOpen: true,
    isMailConfigured: true,
  });
});
