import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Duration } from './Duration.tsx';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 20) }));
afterEach(() => void vi.useRealTimers());

it('ticks every second while it is shown in seconds, then every minute', () => {
  render(<Duration seconds={117} measuredAt={Date.now()} />);
  act(() => void vi.advanceTimersByTime(1000));
  expect(screen.getByText('118 s')).toBeInTheDocument();
  act(() => void vi.advanceTimersByTime(2000));
  expect(screen.getByText('2 min')).toBeInTheDocument();
  act(() => void vi.advanceTimersByTime(240_000));
  expect(screen.getByText('5 min')).toBeInTheDocument();
});

it('does not tick without measuredAt', () => {
  render(<Duration seconds={49_140} />);
  act(() => void vi.advanceTimersByTime(600_000));
  expect(screen.getByText('13 h 39 min')).toBeInTheDocument();
});
