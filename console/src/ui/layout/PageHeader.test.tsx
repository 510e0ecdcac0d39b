import { render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PageHeader } from './PageHeader.tsx';

it('renders the h1, and a named breadcrumb list whose last item is the current page', () => {
  render(
    <PageHeader
      title="crane-04"
      breadcrumb={
        <>
          <a href="#devices">Devices</a>
          crane-04
        </>
      }
    />,
  );
  expect(screen.getByRole('heading', { level: 1, name: 'crane-04' })).toBeInTheDocument();
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getAllByRole('listitem');
  expect(crumbs.map((crumb) => crumb.textContent)).toEqual(['Devices', 'crane-04']);
  expect(crumbs.map((crumb) => crumb.getAttribute('aria-current'))).toEqual([null, 'page']);
});
