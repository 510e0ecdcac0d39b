import { fireEvent, screen, within } from '@testing-library/react';

/** Opens the menu of the table with this name. */
export async function openTableMenu(table: string) {
  fireEvent.click(await screen.findByRole('button', { name: `Options for ${table}` }));
  return within(await screen.findByRole('menu', { name: `Options for ${table}` }));
}

/** Chooses an item in the menu of the table with this name. */
export async function chooseInTableMenu(table: string, item: string): Promise<void> {
  const menu = await openTableMenu(table);
  fireEvent.click(await menu.findByRole('menuitem', { name: item }));
}
