import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { Select } from '../form/Select.tsx';
import { landmarkOf } from './landmark-of.ts';
import { Menu } from './Menu.tsx';
import { MenuItem } from './MenuItem.tsx';

const menu = (
  <Menu trigger={<button type="button">More</button>} label="More">
    <MenuItem onSelect={() => {}}>Rename</MenuItem>
  </Menu>
);

it('renders menus and lists inside the landmark of their trigger', async () => {
  render(
    <>
      <header>{menu}</header>
      <main>
        <Select
          label="Sort"
          options={[{ value: 'name', label: 'By name' }]}
          value={null}
          onValueChange={() => {}}
        />
      </main>
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  expect(await within(screen.getByRole('banner')).findByRole('menu')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('combobox', { name: 'Sort' }));
  expect(await within(screen.getByRole('main')).findByRole('listbox')).toBeInTheDocument();
});

it('is main for an element outside of any landmark, and undefined in a dialog', () => {
  render(
    <>
      <nav>
        <button type="button">Switch</button>
      </nav>
      <main>
        <div role="dialog" aria-label="New">
          <button type="button">Pick</button>
        </div>
      </main>
    </>,
  );
  expect(landmarkOf(screen.getByRole('button', { name: 'Switch' }))).toBe(screen.getByRole('main'));
  expect(landmarkOf(screen.getByRole('button', { name: 'Pick' }))).toBeUndefined();
  expect(landmarkOf(null)).toBeUndefined();
});
