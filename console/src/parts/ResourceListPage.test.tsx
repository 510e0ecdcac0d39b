import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type LinkProps,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { object, string } from 'valibot';
import { expect, test } from 'vitest';
import { FieldsDialog } from '../ui/form/FieldsDialog.tsx';
import { countColumn, nameColumn } from '../ui/table/columns.tsx';
import { RouteAnnouncer } from '../shell/RouteAnnouncer.tsx';
import { parseTableSearch } from './table-search.ts';
import { queryRows, type RowSource, type TableView } from './row-source.ts';
import { ResourceListPage } from './ResourceListPage.tsx';
import { useDialogRoute } from './use-dialog-route.ts';
import { openTableMenu } from '../../test/table-menu.ts';

type Crane = { name: string; load: number };
const cranes: Crane[] = [
  { name: 'north', load: 42 },
  { name: 'east', load: 7 },
  { name: 'south', load: 12 },
];
const columns = [
  nameColumn<Crane>({ id: 'name', header: 'Name', of: ({ name }) => name }),
  countColumn<Crane>({ id: 'load', header: 'Load', of: ({ load }) => load }),
  countColumn<Crane>({ id: 'rank', header: 'Rank', of: () => 1, isSortable: false }),
];
const cranesQuery = { queryKey: ['cranes'], queryFn: () => Promise.resolve({ cranes }) };
const inMemory = queryRows(cranesQuery, (answer) => answer.cranes);

/** Renders the list of cranes at an address, with the route of its create dialog and a page beside it. */
async function show(address: string, source: RowSource<Crane> = inMemory, created: string[] = []) {
  const queryClient = new QueryClient();
  const root = createRootRoute({
    component: () => (
      <>
        <Outlet />
        <RouteAnnouncer />
      </>
    ),
  });
  const list = createRoute({
    getParentRoute: () => root,
    path: 'cranes',
    validateSearch: parseTableSearch,
    loader: () => queryClient.ensureQueryData(cranesQuery),
    component: () => (
      <ResourceListPage
        title="Cranes"
        meta={(count) => (count === 0 ? 'None yet' : `${count} cranes`)}
        {...{ columns, source }}
        rowKey={({ name }) => name}
        filterLabel="Filter cranes"
        csvName="cranes"
        create={{ label: 'New Crane', link: { to: '/cranes/new' } as unknown as LinkProps }}
        empty={{ title: 'No cranes', text: 'Create one.' }}
      />
    ),
  });
  function NewCrane() {
    return (
      <FieldsDialog
        {...useDialogRoute()}
        title="New Crane"
        submitLabel="Create"
        fields={{ name: { label: 'Name' } }}
        schema={object({ name: string() })}
        onSubmit={({ name }) => created.push(name)}
      />
    );
  }
  const routes = [
    createRoute({ getParentRoute: () => root, path: 'other', component: () => <h1 tabIndex={-1}>Other</h1> }),
    list.addChildren([createRoute({ getParentRoute: () => list, path: 'new', component: NewCrane })]),
  ];
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: ['/other', address], initialIndex: 1 }),
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByRole('heading', { name: 'Cranes', hidden: true });
  return { router, user: userEvent.setup(), address: () => router.state.location.href };
}
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent);

test('sorts by the columns that have a value, and keeps the sort in the URL', async () => {
  const { user, address } = await show('/cranes');
  expect(names()).toEqual(['north', 'east', 'south']);
  expect(within(screen.getByRole('columnheader', { name: 'Rank' })).queryByRole('button')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Load' }));
  expect(names()).toEqual(['east', 'south', 'north']);
  await waitFor(() => expect(address()).toBe('/cranes?sort=load'));
  await user.click(screen.getByRole('button', { name: 'Load' }));
  await waitFor(() => expect(address()).toBe('/cranes?sort=-load'));
  await user.click(screen.getByRole('button', { name: 'Load' }));
  await waitFor(() => expect(address()).toBe('/cranes'));
});

test.each(['rank', 'nothing', '-', 'constructor'])('ignores a sort by "%s"', async (sort) => {
  await show(`/cranes?sort=${sort}`);
  expect(names()).toEqual(['north', 'east', 'south']);
});

test('filters, and keeps the filter in the URL beside the sort', async () => {
  const { user, address } = await show('/cranes?sort=-name');
  await user.type(screen.getByRole('searchbox', { name: 'Filter cranes' }), 'th');
  await waitFor(() => expect(names()).toEqual(['south', 'north']));
  await waitFor(() => expect(address()).toBe('/cranes?sort=-name&q=th'));
  const menu = await openTableMenu('Cranes');
  expect(menu.getByRole('menuitem', { name: 'Download as CSV' })).toBeVisible();
});

test('an empty list says what goes here, with the create button in it; a filter that matches nothing does not', async () => {
  await show('/cranes', () => ({ rows: [] }));
  expect(screen.getByRole('heading', { name: 'No cranes' })).toBeVisible();
  expect(screen.getByText('None yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'New Crane' })).toHaveAttribute('aria-keyshortcuts', 'c');
});

test('a filter that matches nothing can be cleared', async () => {
  const { user } = await show('/cranes?q=west');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(names()).toHaveLength(3));
});

test('the create dialog has an address, keeps the view, and Back or Cancel closes it', async () => {
  const { user, router, address } = await show('/cranes?sort=name');
  const create = screen.getByRole('link', { name: 'New Crane' });
  await user.click(create);
  await screen.findByRole('dialog', { name: 'New Crane' });
  expect(address()).toBe('/cranes/new?sort=name');
  router.history.back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(create);
  const field = await screen.findByRole('textbox', { name: 'Name' });
  await waitFor(() => expect(field).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(address()).toBe('/cranes?sort=name'));
  // To the button, and not to the heading, as after a navigation to another page.
  await waitFor(() => expect(create).toHaveFocus());
  expect(names()).toEqual(['east', 'north', 'south']);
  router.history.back();
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Other' })).toHaveFocus());
});

test('a link opens the create dialog above its page; a submit leads to the page', async () => {
  const created: string[] = [];
  const { user, router, address } = await show('/cranes/new', inMemory, created);
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'west{Enter}');
  await waitFor(() => expect(address()).toBe('/cranes'));
  expect(created).toEqual(['west']);
  router.history.back();
  await screen.findByRole('heading', { name: 'Other' });
});

test('a source that reads page by page gets filter and sort, and arranges the rows itself', async () => {
  const views: TableView[] = [];
  // Like the hub: answers what matches by its own rules, two rows a page.
  const usePages: RowSource<Crane> = ({ filter, sort }) => {
    const [limit, setLimit] = useState(2);
    views.push({ filter, sort });
    return {
      rows: (filter === '' ? cranes : [{ name: 'found by the hub', load: 1 }]).slice(0, limit),
      total: 3,
      isServerSide: true,
      more: {
        label: 'Load more',
        end: 'That is all.',
        isLoading: false,
        failure: limit > 2 ? 'The hub cannot be reached.' : undefined,
        load: limit > 2 ? undefined : () => setLimit(limit + 2),
      },
    };
  };
  const { user } = await show('/cranes?sort=load', usePages);
  expect(views.at(-1)).toEqual({ filter: '', sort: { id: 'load', isDescending: false } });
  expect(names()).toEqual(['north', 'east']);
  expect(screen.getByText('3 cranes')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  expect(names()).toEqual(['north', 'east', 'south']);
  expect(screen.getByText('That is all.')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('The hub cannot be reached.');
  await user.type(screen.getByRole('searchbox', { name: 'Filter cranes' }), 'zzz');
  await waitFor(() => expect(names()).toEqual(['found by the hub']));
});
