import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Toasts } from '../overlay/Toasts.tsx';
import { IdTag } from './IdTag.tsx';

const id = 'd_9fKqW2mPx7LtVb3ReBZt3m';

it('shows the id truncated in the middle, with the whole id as description', () => {
  render(<IdTag value={id} what="device ID" />);
  const tag = screen.getByRole('button', { name: /^d_9fKqW…eBZt3m, copy device ID/u });
  expect(tag).toHaveAccessibleDescription(id);
});

it('copies the whole id and announces "Copied device ID"', async () => {
  const user = userEvent.setup();
  Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true });
  render(<IdTag value={id} what="device ID" />);
  await user.click(screen.getByRole('button'));
  expect(await navigator.clipboard.readText()).toBe(id);
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Copied device ID'));
});

it('copies on plain http, where there is no clipboard API', async () => {
  const user = userEvent.setup();
  Object.defineProperty(window, 'isSecureContext', { value: false, configurable: true });
  let copied = '';
  document.execCommand = vi.fn(() => {
    copied = (document.activeElement as HTMLTextAreaElement).value;
    return true;
  });
  render(<IdTag value={id} what="device ID" />);
  await user.click(screen.getByRole('button'));
  expect(document.execCommand).toHaveBeenCalledWith('copy');
  expect(copied).toBe(id);
  expect(document.querySelector('textarea')).toBeNull();
  expect(screen.getByRole('button')).toHaveFocus();
});

it('shows when copying failed', async () => {
  const user = userEvent.setup();
  Object.defineProperty(window, 'isSecureContext', { value: false, configurable: true });
  document.execCommand = () => false;
  render(
    <>
      <IdTag value={id} what="device ID" />
      <Toasts />
    </>,
  );
  await user.click(screen.getByRole('button', { name: /, copy device ID/u }));
  const toasts = within(screen.getByRole('region', { name: 'Notifications' }));
  expect(
    await toasts.findByText('Copying failed. Select the text and copy it by hand.', {
      ignore: '[role=alert] *',
    }),
  ).toBeVisible();
});
