import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Tooltip } from './Tooltip.tsx';

it('opens on keyboard focus and closes on blur', async () => {
  const user = userEvent.setup();
  render(
    <main>
      <Tooltip content="2 Oct 2026, 08:14 UTC">
        <button type="button">3 days ago</button>
      </Tooltip>
      <button type="button">Next</button>
    </main>,
  );
  await user.tab();
  expect(await screen.findByRole('tooltip')).toHaveTextContent('2 Oct 2026, 08:14 UTC');
  await user.tab();
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
});

it('without content does not open, and does not make the next one open without delay', async () => {
  // Long after any other tooltip.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  const user = userEvent.setup();
  render(
    <>
      <Tooltip content={undefined}>
        <button type="button">Save</button>
      </Tooltip>
      <button type="button">Next</button>
      <Tooltip content="More">
        <button type="button">Why</button>
      </Tooltip>
    </>,
  );
  await user.tab();
  await user.tab();
  const hoveredAt = performance.now();
  await user.hover(screen.getByRole('button', { name: 'Why' }));
  await screen.findByRole('tooltip');
  expect(performance.now() - hoveredAt).toBeGreaterThan(350);
  vi.useRealTimers();
});

it('closes on Escape and keeps the focus', async () => {
  const user = userEvent.setup();
  render(
    <Tooltip content="More">
      <button type="button">Why</button>
    </Tooltip>,
  );
  await user.tab();
  await screen.findByRole('tooltip');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
  expect(screen.getByRole('button', { name: 'Why' })).toHaveFocus();
});

it('describes its element while it is open, beside what described it before', async () => {
  const user = userEvent.setup();
  render(
    <>
      <p id="unit">in hours</p>
      <Tooltip content="2 Oct 2026, 08:14 UTC">
        <button type="button" aria-describedby="unit">
          72
        </button>
      </Tooltip>
    </>,
  );
  const button = screen.getByRole('button', { name: '72' });
  expect(button).toHaveAccessibleDescription('in hours');
  await user.tab();
  await waitFor(() => expect(button).toHaveAccessibleDescription('in hours 2 Oct 2026, 08:14 UTC'));
  await user.keyboard('{Escape}');
  expect(button).toHaveAccessibleDescription('in hours');
});
