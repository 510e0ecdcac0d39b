import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole, signedOut } from '../../../test/render-console.tsx';

const configured = (more: object) => ({
  readConfig: async () => ({ scripts: [], isInsecure: false, ...more }),
});

test('"/confirm-email: placeholder with stub text only." And a way to sign in', async () => {
  renderConsole('/confirm-email', signedOut);
  const main = await screen.findByRole('main');
  expect(await within(main).findByRole('heading', { level: 1 })).toBeVisible();
  expect(within(main).queryByRole('textbox')).toBeNull();
  expect(within(main).getByRole('link')).toHaveAttribute('href', '/login');
});

test('/reset-password says that it is under construction, and leads back', async () => {
  renderConsole('/reset-password', signedOut);
  expect(await screen.findByRole('heading', { level: 1, name: 'Under Construction' })).toBeVisible();
  expect(
    screen.getByText('This feature is currently under construction and will be available soon.'),
  ).toBeVisible();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.getByRole('link', { name: 'Back to sign-in' })).toHaveAttribute('href', '/login');
});

test.each(['/login', '/signup', '/reset-password', '/confirm-email', '/signup/verify', '/nowhere'])(
  '%s says where the connection is not encrypted, and shows the banner of the operator above',
  async (address) => {
    const doors = configured({
      isInsecure: true,
      banner: { text: 'Down on <b>Sunday</b><script>1</script>' },
    });
    renderConsole(address, signedOut, doors);
    expect(await screen.findByRole('region', { name: 'Connection' })).toHaveTextContent(
      'This connection is not encrypted',
    );
    const notice = screen.getByRole('region', { name: 'Notice' });
    expect(notice).toHaveTextContent(/^Down on Sunday$/);
    expect(notice.querySelector('script')).toBeNull();
  },
);

test('where the connection is safe nothing is said of it, and without a website no link leads there', async () => {
  renderConsole('/login', signedOut, configured({}));
  await screen.findByRole('heading', { level: 1, name: 'Welcome Back' });
  expect(screen.queryByRole('region', { name: 'Connection' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'About the product' })).toBeNull();
});

test('"it shows a marketing panel with a link to the product website"', async () => {
  renderConsole('/login', signedOut, configured({ productUrl: 'https://corral.example/' }));
  const link = await screen.findByRole('link', { name: 'About the product' });
  expect(link).toHaveAttribute('href', 'https://corral.example/');
  const panel = screen.getByRole('complementary');
  for (const claim of ['Ready to use', 'Secure by design', 'Scalable', 'Extensible'])
    expect(panel).toHaveTextContent(claim);
  expect(panel).toHaveTextContent(/applications.*infrastructure.*workflows/);
});
