import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ErrorSummary } from './ErrorSummary.tsx';

it('lists the errors as links to their fields', async () => {
  const select = vi.fn();
  render(
    <ErrorSummary
      title="2 fields need your attention"
      errors={[
        { name: 'name', message: 'Please enter your full name.' },
        { name: 'email', message: 'Please enter a valid email address.' },
      ]}
      onSelect={select}
    />,
  );
  expect(screen.getByRole('group', { name: '2 fields need your attention' })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('link', { name: 'Please enter a valid email address.' }));
  expect(select).toHaveBeenCalledExactlyOnceWith('email');
});
