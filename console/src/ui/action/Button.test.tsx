import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
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

it('ignores clicks while the promise of its click is pending, also those before the next render', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const click = vi.fn(() => promise);
  render(<Button onClick={click}>Accept</Button>);
  const button = screen.getByRole('button', { name: 'Accept' });
  act(() => {
    button.click();
    button.click();
  });
  expect(button).toHaveAttribute('aria-busy', 'true');
  await userEvent.click(button);
  expect(click).toHaveBeenCalledOnce();
  resolve();
  await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'));
  await userEvent.click(button);
  expect(click).toHaveBeenCalledTimes(2);
});

it('takes a double click as one where it writes to the hub, even if the hub has answered between', async () => {
  const click = vi.fn(() => Promise.resolve());
  render(
    <Button isWrite onClick={click}>
      Send Again
    </Button>,
  );
  const button = screen.getByRole('button', { name: 'Send Again' });
  fireEvent.click(button, { detail: 1 });
  await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'));
  fireEvent.click(button, { detail: 2 });
  expect(click).toHaveBeenCalledOnce();
});

it('keeps the focus when a reason disables it, and when that is gone', () => {
  const button = (reason?: string) => <Button disabledReason={reason}>Remove</Button>;
  const { rerender } = render(button());
  const element = screen.getByRole('button', { name: 'Remove' });
  act(() => element.focus());
  rerender(button('The hub cannot be reached.'));
  expect(element).toHaveFocus();
  expect(element).toHaveAccessibleDescription('The hub cannot be reached.');
  rerender(button());
  expect(element).toHaveFocus();
});
