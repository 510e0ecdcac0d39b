import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { Toasts } from '../overlay/Toasts.tsx';
import { RelativeTime } from './RelativeTime.tsx';

it('a click copies ISO 8601 and shows that it did', async () => {
  const user = userEvent.setup();
  Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true });
  render(
    <>
      <RelativeTime at={Date.UTC(2026, 9, 2, 8, 14)} />
      <Toasts />
    </>,
  );
  await user.click(screen.getByRole('button'));
  expect(await navigator.clipboard.readText()).toBe('2026-10-02T08:14:00.000Z');
  const toasts = within(screen.getByRole('region', { name: 'Notifications' }));
  expect(await toasts.findByText('Copied 2026-10-02T08:14:00.000Z')).toBeVisible();
});
