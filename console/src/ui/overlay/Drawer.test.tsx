import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { Drawer } from './Drawer.tsx';

function Entry() {
  const [open, setOpen] = useState(false);
  return (
    <main>
      <button type="button" onClick={() => setOpen(true)}>
        Details
      </button>
      <Drawer open={open} onOpenChange={setOpen} title="devices_Created" footer={<button>Next</button>}>
        <button type="button">Copy</button>
      </Drawer>
    </main>
  );
}

it('is a dialog named by its title, and takes the focus', async () => {
  const user = userEvent.setup();
  render(<Entry />);
  await user.click(screen.getByRole('button', { name: 'Details' }));
  const drawer = await screen.findByRole('dialog', { name: 'devices_Created' });
  await waitFor(() => expect(drawer).toContainElement(document.activeElement as HTMLElement));
});

it('traps Tab, and restores the focus on Escape', async () => {
  const user = userEvent.setup();
  render(<Entry />);
  await user.click(screen.getByRole('button', { name: 'Details' }));
  const drawer = await screen.findByRole('dialog');
  await waitFor(() => expect(drawer).toContainElement(document.activeElement as HTMLElement));
  for (let count = 0; count < 5; count += 1) {
    await user.tab();
    // What leads the focus back at the end of the drawer may take a frame.
    await waitFor(() => expect(drawer).toContainElement(document.activeElement as HTMLElement));
  }
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Details' })).toHaveFocus());
});

it('closes by its button', async () => {
  const user = userEvent.setup();
  render(<Entry />);
  await user.click(screen.getByRole('button', { name: 'Details' }));
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
