import { ActionError } from '@corral/contract';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole, signedIn, signedOut } from '../../../test/render-console.tsx';

const gone = 'd_5vPxW2x9RvHy8cBq1sw7Fe';

const text =
  /^The page you are looking for does not exist. Please check the URL or go back to the home page.$/;

test('"followed by a link go back to the home page leading to /"', async () => {
  renderConsole('/no/such/page', signedOut);
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
  const home = screen.getByRole('link', { name: 'go back to the home page' });
  expect(home).toHaveAttribute('href', '/');
  expect(home.closest('p')).toHaveTextContent(text);
  expect(screen.queryByRole('button', { name: /^Search for/ }), 'visitors have no palette').toBeNull();
});

test('a signed-in user can search for the last segment of the unknown address', async () => {
  const { user } = renderConsole('/projects-old/harbour', signedIn);
  await user.click(await screen.findByRole('button', { name: 'Search for harbour' }));
  expect(await screen.findByRole('combobox')).toHaveValue('harbour');
});

test.each([
  [`/projects/${projectId}/nowhere`, 'Project', 'Devices', `/projects/${projectId}/devices`],
  [`/projects/${projectId}/devices/${gone}`, 'Project', 'Devices', `/projects/${projectId}/devices`],
])('%s keeps the sidebar and offers the way back', async (address, sidebar, label, path) => {
  renderConsole(address, {
    ...projectAnswers,
    devices_GetDeviceDetails: () => {
      throw new ActionError('Invalid', 'There is no such device.');
    },
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
  expect(screen.getByRole('navigation', { name: sidebar })).toBeVisible();
  expect(screen.getByRole('link', { name: `Back to ${label}` })).toHaveAttribute('href', path);
});

test('"Default not-found text is Not Found"', async () => {
  const { router } = renderConsole('/login', signedOut);
  const Default = router.options.defaultNotFoundComponent;
  if (Default === undefined) throw new Error('The router has no default.');
  const rootRoute = createRootRoute();
  const bare = createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    loader: () => {
      throw notFound();
    },
  });
  render(
    <RouterProvider
      router={
        createRouter({
          routeTree: rootRoute.addChildren([bare]),
          history: createMemoryHistory({ initialEntries: ['/'] }),
          defaultNotFoundComponent: Default,
        }) as never
      }
    />,
  );
  expect(await screen.findByRole('heading', { level: 1, name: 'Not Found' })).toBeVisible();
});
