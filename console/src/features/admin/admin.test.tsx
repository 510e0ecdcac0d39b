import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { adminAnswers } from '../../../test/admin-answers.ts';
import { renderConsole, signedIn } from '../../../test/render-console.tsx';

test('"/admin: index redirects to /admin/dashboard"', async () => {
  const { address } = renderConsole('/admin', adminAnswers);
  expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  expect(address()).toBe('/admin/dashboard');
});

test.each(['/admin', '/admin/dashboard', '/admin/cluster'])(
  '%s does not exist for others, and asks the hub for nothing',
  async (address) => {
    const asked: string[] = [];
    const answers = Object.fromEntries(
      ['instance_GetInstanceStatistics', 'cluster_GetClusterDetails'].map((name) => [
        name,
        () => asked.push(name),
      ]),
    );
    renderConsole(address, { ...signedIn, ...answers } as never);
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
    expect(screen.queryByRole('navigation', { name: 'Administration' })).toBeNull();
    expect(asked).toEqual([]);
  },
);

test('"Administration (admins only)" is in the account menu of administrators', async () => {
  const { user, unmount } = renderConsole('/settings/profile', adminAnswers);
  await user.click(await screen.findByRole('button', { name: /Mara Keller/ }));
  expect(await screen.findByRole('menuitem', { name: 'Administration' })).toHaveAttribute('href', '/admin');
  unmount();
  const other = renderConsole('/settings/profile', signedIn);
  await other.user.click(await screen.findByRole('button', { name: /Mara Keller/ }));
  await screen.findByRole('menuitem', { name: 'Settings' });
  expect(screen.queryByRole('menuitem', { name: 'Administration' })).toBeNull();
});

test('"dashboard: counts for devices, projects, users and cluster nodes"', async () => {
  renderConsole('/admin/dashboard', adminAnswers);
  const main = within(await screen.findByRole('main'));
  const links = await main.findAllByRole('link', { name: /^(Devices|Projects|Users|Cluster nodes)/ });
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Devices1,240',
    'Projects7',
    'Users42',
    'Cluster nodes1',
  ]);
});

test('the palette finds the pages of the administration for administrators', async () => {
  const { user, address } = renderConsole('/settings/profile', adminAnswers);
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox'), 'cluster');
  await user.click(await screen.findByRole('option', { name: /Cluster/ }));
  await waitFor(() => expect(address()).toBe('/admin/cluster'));
});
