import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ErrorScreen } from './ErrorScreen.tsx';

it('says Something went wrong! with a Show Error / Hide Error toggle revealing the error message', async () => {
  const retry = vi.fn();
  render(
    <ErrorScreen
      error={Object.assign(new Error('The hub answered 503.'), { requestId: 'req_1' })}
      onRetry={retry}
    />,
  );
  expect(screen.getByRole('heading', { name: 'Something went wrong!' })).toBeInTheDocument();
  expect(screen.getByText('The hub answered 503.')).not.toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Show Error' }));
  expect(screen.getByText('The hub answered 503.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Hide Error' }));
  expect(screen.getByText('The hub answered 503.')).not.toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(retry).toHaveBeenCalledOnce();
  expect(await screen.findByRole('button', { name: /^req_1.*, copy request ID/u })).toBeInTheDocument();
});

it('shows at once what the hub says about an input that it cannot take', () => {
  const sentence = 'This search takes too long. Narrow it, such as by a time or an exact value.';
  render(<ErrorScreen error={Object.assign(new Error(sentence), { kind: 'Invalid' })} />);
  expect(screen.getByText(sentence)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Hide Error' })).toBeVisible();
});

it('says that the hub is away', () => {
  render(
    <ErrorScreen error={Object.assign(new Error('The hub cannot be reached.'), { kind: 'NotReady' })} />,
  );
  expect(screen.getByText('The hub cannot be reached right now. Try again in a moment.')).toBeVisible();
});
