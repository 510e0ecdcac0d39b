import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { JsonView } from './JsonView.tsx';

// jsdom has no layout: a text of more than 500 characters is as high as its lines, the box never higher than five of them.
function layOut(): void {
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function height(this: Element) {
    return Math.ceil((this.textContent?.length ?? 0) / 100) * 20;
  });
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockImplementation(function height(this: Element) {
    return this.className.includes('line-clamp-5') ? Math.min(this.scrollHeight, 100) : this.scrollHeight;
  });
}

it('shows five lines of a long value, and all of it on request', async () => {
  layOut();
  const value = 'v'.repeat(10_000);
  render(<JsonView value={value} />);
  const box = screen.getByText(value).parentElement as HTMLElement;
  expect(box).toHaveClass('line-clamp-5');
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
  expect(box).not.toHaveClass('line-clamp-5');
  await userEvent.click(screen.getByRole('button', { name: 'Show less' }));
  expect(box).toHaveClass('line-clamp-5');
  expect(screen.getByRole('button', { name: 'Copy text' })).toBeVisible();
});

it('offers nothing more of a value that fits', () => {
  layOut();
  render(<JsonView value={{ site: 'Oakfield', rack: 4, model: 'GX-200', more: 'a text of an object' }} />);
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});
