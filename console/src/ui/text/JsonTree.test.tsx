import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { JsonTree } from './JsonTree.tsx';

it('collapses and expands by keyboard, and copies the path of a line', async () => {
  const user = userEvent.setup();
  Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true });
  render(<JsonTree value={{ wind: { 'warn at': 18 }, axes: ['x'] }} name="limits" />);
  expect(screen.getByText('18')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Copy limits.wind["warn at"]' }));
  expect(await navigator.clipboard.readText()).toBe('limits.wind["warn at"]');
  await user.click(screen.getByRole('button', { name: 'Copy limits.axes[0]' }));
  expect(await navigator.clipboard.readText()).toBe('limits.axes[0]');
  const branch = screen.getByRole('button', { name: /wind/u, expanded: true });
  branch.focus();
  await user.keyboard('{Enter}');
  expect(screen.queryByText('18')).toBeNull();
  expect(screen.getByRole('button', { name: /wind/u, expanded: false })).toHaveFocus();
});
