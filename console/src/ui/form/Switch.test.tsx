import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { WriteBlockContext } from '../action/write-block.ts';
import { Switch } from './Switch.tsx';

it('is focused and toggled by keyboard, and described', async () => {
  const user = userEvent.setup();
  const change = vi.fn();
  render(<Switch label="Auto Accept" checked={false} onCheckedChange={change} description="Lets all in." />);
  const control = screen.getByRole('switch', { name: 'Auto Accept' });
  expect(control).toHaveAccessibleDescription('Lets all in.');
  await user.tab();
  expect(control).toHaveFocus();
  await user.keyboard(' ');
  expect(change).toHaveBeenCalledExactlyOnceWith(true);
});

it('stays focusable while writes are blocked, and describes the reason; a local switch still works', async () => {
  const user = userEvent.setup();
  const change = vi.fn();
  const local = vi.fn();
  render(
    <WriteBlockContext value="The hub cannot be reached right now.">
      <Switch label="Auto Accept" checked onCheckedChange={change} />
      <Switch label="Shortcuts" checked onCheckedChange={local} isLocal />
    </WriteBlockContext>,
  );
  const gated = screen.getByRole('switch', { name: 'Auto Accept' });
  expect(gated).toHaveAttribute('aria-disabled', 'true');
  expect(gated).toHaveAccessibleDescription('The hub cannot be reached right now.');
  await user.tab();
  expect(gated).toHaveFocus();
  await user.keyboard(' ');
  expect(change).not.toHaveBeenCalled();
  await user.click(screen.getByRole('switch', { name: 'Shortcuts' }));
  expect(local).toHaveBeenCalledExactlyOnceWith(false);
});
