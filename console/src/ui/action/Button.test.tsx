import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Button } from './Button.tsx';

it('stays focusable while disabled, describes the reason, and ignores clicks', async () => {
  const click = vi.fn();
  render(
    <Button onClick={click} disabledReason="Only an owner may do this">
      Delete
    </Button>,
  );
  await userEvent.tab();
  const button = screen.getByRole('button', { name: /^Delete/u });
  expect(button).toHaveFocus();
  expect(button).toHaveAccessibleDescription('Only an owner may do this');
  await userEvent.click(button);
  expect(click).not.toHaveBeenCalled();
});

it('ignores clicks while it is loading, and keeps its name', async () => {
  const click = vi.fn();
  render(
    <Button onClick={click} loading>
      Save
    </Button>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(click).not.toHaveBeenCalled();
  expect(screen.getByRole('button')).toHaveAttribute('aria-busy', 'true');
});

it('is of type button by default, so it does not submit a form', () => {
  render(<Button>Close</Button>);
  expect(screen.getByRole('button')).toHaveAttribute('type', 'button');
});
