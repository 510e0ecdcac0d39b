import { ActionError, type Output } from '@corral/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { projectAnswers, projectId } from '../../test/project-answers.ts';
import { repositoryAnswers, repositoryId } from '../../test/repository-answers.ts';
import { held, renderConsole, signedIn, signedOut, userId } from '../../test/render-console.tsx';
import { userQuery } from '../data/queries-account.ts';
import { createQueryClient } from '../data/query-client.ts';
import { replayWrites, withReplay } from '../data/replay.ts';
import { tellTabs } from '../data/session-channel.ts';
import { stubHub } from '../data/stub-hub.ts';
import { createSessionEnd } from './session-end.ts';

test('a visitor who is not signed in is redirected to the sign-in page, with the target', async () => {
  const { address } = renderConsole('/projects/p_1?tab=x', signedOut);
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(decodeURIComponent(address())).toBe('/login?redirect=/projects/p_1?tab=x');
});

test('"if loading fails it redirects to /login with a redirect search parameter": also from /', async () => {
  const { address } = renderConsole('/', signedOut);
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(decodeURIComponent(address())).toBe('/login?redirect=/');
});

test('"Session load failure: redirect to /login."', async () => {
  const actor_GetActor = () => {
    throw new ActionError('Internal', 'Something went wrong in the hub.');
  };
  renderConsole('/settings/profile', { actor_GetActor });
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test.each([
  '/projects',
  `/projects/${projectId}/devices`,
  '/repositories',
  `/repositories/${repositoryId}/packages`,
])(
  '"Router defaults: pending indicator after 1000 ms": %s loads behind the outline in index.html, then behind that of the page',
  async (address) => {
    vi.useFakeTimers();
    localStorage.setItem('corral.user', userId);
    const answer = held<void>();
    const slowly = <Output,>(output: Output) => answer.promise.then(() => output) as never;
    renderConsole(address, {
      ...repositoryAnswers,
      ...projectAnswers,
      users_QueryUserProjects: () => slowly({ projects: [] }),
      users_QueryUserRepositories: () => slowly({ repositories: [] }),
      projects_GetProjectDetails: (input) => slowly(projectAnswers.projects_GetProjectDetails?.(input)),
      repositories_GetRepositoryDetails: (input) =>
        slowly(repositoryAnswers.repositories_GetRepositoryDetails?.(input)),
    });
    await act(() => vi.advanceTimersByTimeAsync(900));
    expect(screen.queryByRole('main')).toBeNull();
    // Code that is loaded on demand takes real time.
    vi.setTimerTickMode('interval');
    expect(await screen.findByRole('banner')).toBeVisible();
    expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
    answer.resolve();
    expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
  },
);

test('/ redirects to /projects and /settings to /settings/profile', async () => {
  const { address, router } = renderConsole('/', signedIn);
  expect(await screen.findByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
  expect(address()).toBe('/projects');
  await router.navigate({ to: '/settings' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  expect(address()).toBe('/settings/profile');
});

test('"Administration menu entry appears only when isAdmin is true.": the account menu links to the pages of the user', async () => {
  const { user } = renderConsole('/projects', signedIn);
  await user.click(await screen.findByRole('button', { name: /Mara Keller/ }));
  const menu = await screen.findByRole('menu');
  expect(within(menu).getByText('mara@harbour.example')).toBeVisible();
  expect(
    within(menu)
      .getAllByRole('menuitem')
      .map((item) => item.textContent),
  ).toEqual(['Invitations', 'Settings', 'Log Out']);
});

test('an administrator without a name sees My Account and Administration', async () => {
  const { user } = renderConsole('/projects', {
    ...signedIn,
    users_GetUserDetails: ({ userId }) => ({ userId, email: 'root@harbour.example', isAdmin: true }),
  });
  await user.click(await screen.findByRole('button', { name: /My Account/ }));
  expect(await screen.findByRole('menuitem', { name: 'Administration' })).toBeVisible();
});

test('"Logout calls the server, clears the session and removes all cached queries."', async () => {
  let isIn = true;
  const { user, queryClient, address } = renderConsole(
    '/projects',
    {
      ...signedIn,
      actor_GetActor: () => (isIn ? signedIn : signedOut).actor_GetActor?.({}) as never,
    },
    {
      signOut: async () => {
        isIn = false;
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: /Mara Keller/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Log Out' }));
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(address()).toBe('/login');
  await waitFor(() =>
    expect(
      queryClient.getQueryCache().find({ queryKey: ['users_QueryUserProjects'], exact: false }),
    ).toBeUndefined(),
  );
});

test('when the session ends, a dialog asks to sign in again and the page stays', async () => {
  let isIn = true;
  const { user, queryClient } = renderConsole(
    '/settings/profile',
    {
      ...signedIn,
      users_GetUserDetails: (input) => {
        if (!isIn) throw new ActionError('NotSignedIn', 'Not logged in.');
        return signedIn.users_GetUserDetails?.(input) as never;
      },
    },
    {
      signIn: async () => {
        isIn = true;
      },
    },
  );
  const name = await screen.findByRole('textbox', { name: /Display name/ });
  await user.clear(name);
  await user.type(name, 'Mara of the quay');
  isIn = false;
  await queryClient.invalidateQueries();
  const dialog = await screen.findByRole('dialog', { name: 'Sign in again' });
  expect(await within(dialog).findByRole('textbox', { name: /Email/ })).toHaveValue('mara@harbour.example');
  // What was typed is given up by the button only.
  await user.keyboard('{Escape}');
  expect(dialog).toBeVisible();
  await user.type(within(dialog).getByLabelText(/^Password/), 'denim{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('textbox', { name: /Display name/ })).toHaveValue('Mara of the quay');
});

test('a call that was refused after the session had ended is sent again for the same user, without a message of failure', async () => {
  let isIn = true;
  const sent: unknown[] = [];
  const { user } = renderConsole(
    '/settings/profile',
    {
      ...signedIn,
      users_SetUserDisplayName: (input) => {
        if (!isIn) throw new ActionError('NotSignedIn', 'Not logged in.');
        sent.push(input);
        return {};
      },
    },
    {
      signIn: async () => {
        isIn = true;
      },
    },
  );
  const name = await screen.findByRole('textbox', { name: /Display name/ });
  await user.clear(name);
  await user.type(name, 'Mara of the quay');
  isIn = false;
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'Sign in again' });
  expect(screen.queryByText('Not logged in.')).toBeNull();
  expect(sent).toEqual([]);
  await user.type(await within(dialog).findByLabelText(/^Password/), 'denim{Enter}');
  await waitFor(() => expect(sent).toEqual([{ userId, displayName: 'Mara of the quay' }]));
});

test('a call that was refused after the session had ended is not sent for another user', async () => {
  const sessionEnd = createSessionEnd();
  const client = createQueryClient({ hub: stubHub({}), onSignedOut: () => sessionEnd.end('ended') });
  replayWrites(client, sessionEnd.signedInAgain);
  let calls = 0;
  const call = async () => {
    calls += 1;
    throw new ActionError('NotSignedIn', 'Not logged in.');
  };
  const outcome = withReplay(client, call);
  await waitFor(() => expect(sessionEnd.ending()).toBe('ended'));
  sessionEnd.resume(false);
  await expect(outcome).rejects.toThrow('This was not sent, because the session had ended.');
  expect([calls, sessionEnd.ending()]).toEqual([1, undefined]);
});

const otherTab = 2;

test('signing out in another tab shows the sign-in page, and nothing of the page or its data stays', async () => {
  let isIn = true;
  const { queryClient, address } = renderConsole('/settings/profile', {
    ...signedIn,
    actor_GetActor: () => (isIn ? signedIn : signedOut).actor_GetActor?.({}) as never,
  });
  await screen.findByRole('textbox', { name: /Display name/ });
  isIn = false;
  tellTabs('signedOut', otherTab);
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(address()).toBe('/login');
  expect(screen.queryByText('Mara Keller')).toBeNull();
  expect(queryClient.getQueryData(userQuery(userId).queryKey)).toBeUndefined();
});

test('a tab hears from another one that the session has ended, and that the user is signed in again', async () => {
  let isIn = true;
  const { user } = renderConsole('/settings/profile', {
    ...signedIn,
    actor_GetActor: () => (isIn ? signedIn : signedOut).actor_GetActor?.({}) as never,
  });
  const name = await screen.findByRole('textbox', { name: /Display name/ });
  await user.clear(name);
  await user.type(name, 'Mara of the quay');
  isIn = false;
  tellTabs('ended', otherTab);
  expect(await screen.findByRole('dialog', { name: 'Sign in again' })).toBeVisible();
  expect(document.documentElement).toHaveAttribute('data-page-hidden');
  isIn = true;
  tellTabs('signedIn', otherTab);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.documentElement).not.toHaveAttribute('data-page-hidden');
  expect(name).toHaveValue('Mara of the quay');
});

test('a page opened after the session ended is loaded after signing in again', async () => {
  let isIn = true;
  const { user, router } = renderConsole(
    '/settings/profile',
    {
      ...signedIn,
      users_QueryUserProjects: () => {
        if (!isIn) throw new ActionError('NotSignedIn', 'Not logged in.');
        return { projects: [] };
      },
    },
    {
      signIn: async () => {
        isIn = true;
      },
    },
  );
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  isIn = false;
  await router.navigate({ to: '/projects' });
  const dialog = await screen.findByRole('dialog', { name: 'Sign in again' });
  await user.type(await within(dialog).findByLabelText(/^Password/), 'denim{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await screen.findByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
});

test('an unknown address shows not found, inside the shell for signed-in users', async () => {
  renderConsole('/nowhere', signedIn);
  expect(await screen.findByRole('heading', { name: 'Page not Found' })).toBeVisible();
  expect(
    screen.getByText(/The page you are looking for does not exist. Please check the URL or/),
  ).toBeVisible();
  expect(screen.getByRole('link', { name: 'go back to the home page' })).toHaveAttribute('href', '/');
  expect(await screen.findByRole('button', { name: /Mara Keller/ })).toBeVisible();
});

test('a project that does not exist, or is not accessible, is not found', async () => {
  renderConsole('/projects/p_nothing/devices', {
    ...signedIn,
    projects_GetProjectDetails: () => {
      throw new ActionError('Invalid', 'Project not found.');
    },
  });
  expect(await screen.findByRole('heading', { name: 'Page not Found' })).toBeVisible();
  expect(await screen.findByRole('button', { name: /Mara Keller/ })).toBeVisible();
});

test('a failing page keeps the shell and offers Retry', async () => {
  let isBroken = true;
  const { user } = renderConsole('/projects', {
    ...signedIn,
    users_QueryUserProjects: () => {
      if (isBroken)
        throw new ActionError('Internal', 'Something went wrong in the hub.', { requestId: 'r-1' });
      return { projects: [] };
    },
  });
  expect(await screen.findByRole('heading', { name: 'Something went wrong!' })).toBeVisible();
  expect(await screen.findByRole('button', { name: /Mara Keller/ })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show Error' }));
  expect(screen.getByText('Something went wrong in the hub.')).toBeVisible();
  isBroken = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
});

test('the favicon shows a warning while the open project has disconnected devices', async () => {
  const icon = document.createElement('link');
  icon.rel = 'icon';
  icon.href = '/favicon.svg';
  document.head.append(icon);
  const counts = { deviceCount: 3, connectedDeviceCount: 2 };
  const { queryClient, router } = renderConsole(`/projects/${projectId}/devices`, {
    ...projectAnswers,
    projects_GetProjectDetails: (input) => ({
      ...(projectAnswers.projects_GetProjectDetails?.(
        input,
      ) as never as Output<'projects_GetProjectDetails'>),
      ...counts,
    }),
  });
  await screen.findByRole('heading', { level: 1, name: 'Devices' });
  expect(new URL(icon.href).pathname).toBe('/favicon-warn.svg');
  counts.connectedDeviceCount = 3;
  await queryClient.invalidateQueries();
  await waitFor(() => expect(new URL(icon.href).pathname).toBe('/favicon.svg'));
  counts.connectedDeviceCount = 0;
  await queryClient.invalidateQueries();
  await waitFor(() => expect(new URL(icon.href).pathname).toBe('/favicon-warn.svg'));
  await router.navigate({ to: '/projects' });
  await waitFor(() => expect(new URL(icon.href).pathname).toBe('/favicon.svg'));
  icon.remove();
});

test('where the browser knows the user, shell and sidebar are there before the hub answers', async () => {
  localStorage.setItem('corral.user', userId);
  const never = () => new Promise<never>(() => {});
  renderConsole(`/projects/${projectId}/devices`, {
    actor_GetActor: never,
    users_GetUserDetails: never,
    users_QueryUserProjects: never,
    projects_GetProjectDetails: never,
    projects_QueryProjectDevices: never,
    projects_QuerySavedViews: never,
    users_QueryUserProjectInvitations: never,
    users_QueryUserRepositoryInvitations: never,
  });
  expect(await screen.findByRole('navigation', { name: 'Project' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Tokens' })).toBeVisible();
  expect(screen.getByText('Loading')).toBeInTheDocument();
});

test('where the browser still knows a user whose session has ended, the visitor gets to the sign-in page, and no dialog', async () => {
  localStorage.setItem('corral.user', userId);
  const refuse = () => {
    throw new ActionError('NotSignedIn', 'Not logged in.');
  };
  const { address } = renderConsole('/settings/profile', {
    ...signedOut,
    users_GetUserDetails: refuse,
    users_QueryUserProjectInvitations: refuse,
    users_QueryUserRepositoryInvitations: refuse,
  });
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(address()).toBe('/login?redirect=%2Fsettings%2Fprofile');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(localStorage.getItem('corral.user')).toBeNull();
});

test('where the browser knows another user than the hub, the page is that of the hub', async () => {
  localStorage.setItem('corral.user', 'u_2KqW2x9RvHy8cBq1sw7Fd4');
  renderConsole('/settings/profile', signedIn);
  await waitFor(() => expect(localStorage.getItem('corral.user')).toBe(userId));
  expect(await screen.findByDisplayValue('Mara Keller')).toBeVisible();
});
