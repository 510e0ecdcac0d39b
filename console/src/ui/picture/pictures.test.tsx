import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ConnectionStrip } from './ConnectionStrip.tsx';
import { LiveDot } from './LiveDot.tsx';
import { Meter } from './Meter.tsx';
import { DeviceDots } from './DeviceDots.tsx';
import { Spinner } from './Spinner.tsx';

const nowMs = Date.UTC(2026, 10, 20, 12);
const hourMs = 3_600_000;

it('names the dots in words with the pending ones, and says that one dot is several devices', () => {
  render(<DeviceDots counts={{ total: 240, connected: 183, pending: 2 }} columns={24} />);
  expect(screen.getByRole('img')).toHaveAccessibleName(/^183 of 240 devices connected, 2 .*pending/u);
  expect(screen.getByRole('figure')).toHaveTextContent('2 devices');
});

it('names the connected share in words, with each gap', () => {
  const intervals = [
    { fromMs: nowMs - 24 * hourMs, toMs: nowMs - 6 * hourMs },
    { fromMs: nowMs - 5 * hourMs, toMs: nowMs },
  ];
  render(<ConnectionStrip {...{ intervals, nowMs }} />);
  expect(screen.getByRole('img')).toHaveAccessibleName(/95\.8 ?%.*dropped .* for 1 h/u);
});

it('exposes the values of a meter and of a progress bar', () => {
  render(
    <>
      <Meter label="Disk" value={11.2} max={28.9} text="11.2 of 28.9 GB" />
      <Meter isProgress label="Deleting" value={3} max={5} />
    </>,
  );
  expect(screen.getByRole('meter', { name: 'Disk' })).toHaveAttribute('aria-valuetext', '11.2 of 28.9 GB');
  expect(screen.getByRole('progressbar', { name: 'Deleting' })).toHaveAttribute('aria-valuenow', '3');
});

it('shows the state of the live view and what is loading', () => {
  render(
    <>
      <LiveDot state="polling" />
      <Spinner label="Loading events..." />
    </>,
  );
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
    'Polling',
    'Loading events...',
  ]);
});
