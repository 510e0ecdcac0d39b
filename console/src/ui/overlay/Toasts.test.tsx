import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { showToast } from './toast.ts';
import { Toasts } from './Toasts.tsx';

it('shows a toast that was requested before Toasts was mounted', async () => {
  showToast('Device renamed', { tone: 'ok' });
  render(<Toasts />);
  expect(await screen.findByText('Device renamed')).toBeInTheDocument();
});

it('runs its action and closes', async () => {
  const undo = vi.fn();
  render(<Toasts />);
  act(() => void showToast('Repository unlinked', { action: { label: 'Undo', onClick: undo } }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByText('Repository unlinked')).toBeNull());
});

it('keeps errors until they are dismissed, and announces them at once', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    render(<Toasts />);
    act(() => void showToast('Saved'));
    act(() => void showToast('Not saved', { tone: 'danger' }));
    act(() => void vi.advanceTimersByTime(60_000));
    await waitFor(() => expect(screen.queryByText('Saved')).toBeNull());
    expect(screen.getAllByText('Not saved').length).toBeGreaterThan(0);
    expect(screen.getByRole('alert')).toHaveTextContent('Not saved');
  } finally {
    vi.useRealTimers();
  }
});

it('shows three at most', async () => {
  render(<Toasts />);
  for (const name of ['one', 'two', 'three', 'four']) act(() => void showToast(name));
  await screen.findByText('four');
  const limited = document.querySelectorAll('[data-limited]');
  expect([...limited].map((element) => element.textContent)).toEqual([expect.stringContaining('one')]);
});

it('replaces the progress of a task by its result', async () => {
  render(<Toasts />);
  const progress = (done: number) =>
    act(
      () => void showToast('Copying', { id: 'copies', text: `${done} of 4`, progress: { done, total: 4 } }),
    );
  progress(0);
  await screen.findByText('0 of 4');
  progress(3);
  await screen.findByText('3 of 4');
  expect(screen.getByRole('progressbar', { name: 'Copying' })).toHaveAttribute('aria-valuenow', '3');
  act(() => void showToast('4 files were copied', { id: 'copies', tone: 'ok' }));
  await screen.findByText('4 files were copied');
  expect(screen.queryByText('Copying')).toBeNull();
  expect(screen.queryByText('3 of 4')).toBeNull();
  expect(screen.queryByRole('progressbar')).toBeNull();
});
