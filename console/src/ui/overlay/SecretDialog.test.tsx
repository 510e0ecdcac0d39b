import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { SecretDialog } from './SecretDialog.tsx';

it('closes neither on Escape nor on an outside click', async () => {
  const user = userEvent.setup();
  const stored = vi.fn();
  render(<SecretDialog title="Token" secret="ct_1" what="token" variable="CORRAL_TOKEN" onStored={stored} />);
  expect(await screen.findByRole('dialog', { name: 'Token' })).toHaveTextContent('ct_1');
  await user.keyboard('{Escape}');
  await user.click(document.body);
  expect(screen.getByRole('dialog')).toBeInTheDocument();
  expect(stored).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'I stored it' }));
  expect(stored).toHaveBeenCalledOnce();
});
