import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Toasts } from '../overlay/Toasts.tsx';
import { downloadAllRows } from './download-all-rows.ts';

it('says how many rows were downloaded of a list that has more', async () => {
  render(<Toasts />);
  const rows = Array.from({ length: 1200 }, (_, index) => index);
  await downloadAllRows(
    'log.csv',
    () => Promise.resolve({ rows, isCut: true }),
    () => 40,
  );
  expect(await screen.findByText('Only 40 rows downloaded')).toBeVisible();
  expect(
    screen.getByText('There are more: an export reads the first 1,200. A filter finds the others.'),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
});
