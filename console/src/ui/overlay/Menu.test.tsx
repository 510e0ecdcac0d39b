import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Menu } from './Menu.tsx';
import { MenuItem } from './MenuItem.tsx';
import { MenuLink } from './MenuLink.tsx';

function Actions({ onRename, onDelete }: { onRename: () => void; onDelete: () => void }) {
  return (
    <Menu trigger={<button type="button">Actions</button>}>
      <MenuItem onSelect={onRename}>Rename</MenuItem>
      <MenuItem onSelect={onDelete} disabledReason="Only an owner may do this">
        Delete
      </MenuItem>
      <MenuLink render={<a href="#log" />}>Log</MenuLink>
    </Menu>
  );
}

it('opens and selects by keyboard alone, and restores the focus', async () => {
  const user = userEvent.setup();
  const rename = vi.fn();
  render(<Actions onRename={rename} onDelete={() => undefined} />);
  await user.tab();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Rename' })).toHaveFocus());
  await user.keyboard('{Enter}');
  expect(rename).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Actions' })).toHaveFocus());
});

it('focuses a disabled item, which shows its reason', async () => {
  const user = userEvent.setup();
  const remove = vi.fn();
  render(<Actions onRename={() => undefined} onDelete={remove} />);
  await user.tab();
  await user.keyboard('{Enter}');
  const item = await screen.findByRole('menuitem', { name: /Delete/u });
  expect(item).toHaveAttribute('aria-disabled', 'true');
  expect(item).toHaveTextContent('Only an owner may do this');
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Rename' })).toHaveFocus());
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(item).toHaveFocus());
  await user.keyboard('{Enter}');
  expect(remove).not.toHaveBeenCalled();
});

it('renders links as links', async () => {
  render(<Actions onRename={() => undefined} onDelete={() => undefined} />);
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  expect(await screen.findByRole('menuitem', { name: 'Log' })).toHaveAttribute('href', '#log');
});
