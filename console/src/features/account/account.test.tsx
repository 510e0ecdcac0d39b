import { ActionError, type Output } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { held, renderConsole, signedIn, userId } from '../../../test/render-console.tsx';

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

afterEach(() => {
  localStorage.clear();
  for (const key of ['timezone', 'density']) delete document.documentElement.dataset[key];
});

test('a blank display name is refused, and Save is disabled', async () => {
  const { user } = renderConsole('/settings/profile', signedIn);
  const name = await screen.findByRole('textbox', { name: /Display name/ });
  await user.clear(name);
  await user.type(name, '  ');
  await user.tab();
  expect(screen.getByText('Display name must not be empty.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
});

test('"profile: edit display name.": it shows at once, and Undo restores the previous one', async () => {
  let stored = 'Mara Keller';
  const { user } = renderConsole('/settings/profile', {
    ...signedIn,
    users_GetUserDetails: () => ({
      userId,
      email: 'mara@harbour.example',
      displayName: stored,
      isAdmin: false,
    }),
    users_SetUserDisplayName: ({ displayName }) => {
      stored = displayName;
      return {};
    },
  });
  const name = await screen.findByRole('textbox', { name: /Display name/ });
  await user.clear(name);
  await user.type(name, 'Mara of the quay{Enter}');
  expect(await screen.findByRole('button', { name: /Mara of the quay/ })).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: /Mara Keller/ })).toBeVisible();
  expect(stored).toBe('Mara Keller');
});

test('row height and time zone are chosen in the profile, apply at once, and are saved', async () => {
  const { user } = renderConsole('/settings/profile', signedIn);
  const zones = await screen.findByRole('group', { name: 'Time zone' });
  expect(within(zones).getByRole('button', { name: 'Local' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(within(zones).getByRole('button', { name: 'UTC' }));
  expect(screen.getByText(/^For all dates and times\. Local is /)).toHaveTextContent(
    /It is \d\d:\d\d now\.$/,
  );
  await user.click(screen.getByRole('button', { name: 'Compact' }));
  expect(localStorage.getItem('corral.timezone')).toBe('utc');
  expect(localStorage.getItem('corral.density')).toBe('compact');
  expect(document.documentElement.dataset).toMatchObject({ timezone: 'utc', density: 'compact' });
});

test('a refused display name is rolled back, with the error message of the hub, and what was typed stays', async () => {
  const answer = held<Output<'users_SetUserDisplayName'>>();
  const { user } = renderConsole('/settings/profile', {
    ...signedIn,
    users_SetUserDisplayName: () => answer.promise,
  });
  const name = await screen.findByRole('textbox', { name: /Display name/ });
  await user.clear(name);
  await user.type(name, 'Mara of the quay{Enter}');
  expect(await screen.findByRole('button', { name: /Mara of the quay/ })).toBeVisible();
  answer.reject(new ActionError('Invalid', 'The name is too long.'));
  expect(await screen.findAllByText('The name is too long.')).not.toHaveLength(0);
  expect(screen.getByRole('button', { name: /Mara Keller/ })).toBeVisible();
  expect(name).toHaveValue('Mara of the quay');
  // Until the toast has the focus, a live region announces its text.
  expect(screen.getByRole('button', { name: 'Retry', hidden: true })).toBeInTheDocument();
});

test('"Security page password change: same 8-character and match rules.": re-checked when either changes', async () => {
  const calls: unknown[] = [];
  const { user } = renderConsole('/settings/security', {
    ...signedIn,
    users_QueryUserTokens: () => ({ tokens: [] }),
    users_SetUserPassword: (input) => {
      calls.push(input);
      return {};
    },
  });
  const password = await screen.findByLabelText(/^New password/);
  const confirmation = screen.getByLabelText(/^Confirm new password/);
  const change = screen.getByRole('button', { name: 'Change Password' });
  expect(change).toBeDisabled();
  await user.type(password, 'denim');
  await user.type(confirmation, 'denim 12');
  await user.tab();
  expect(screen.getByText('Password must be at least 8 characters long.')).toBeVisible();
  expect(screen.getByText('Passwords do not match.')).toBeVisible();
  await user.type(password, ' 12');
  await waitFor(() => expect(change).toBeEnabled());
  expect(screen.queryByText('Passwords do not match.')).toBeNull();
  await user.type(password, '3');
  await waitFor(() => expect(change).toBeDisabled());
  expect(screen.getByText('Passwords do not match.')).toBeVisible();
  await user.type(confirmation, '3');
  await user.click(change);
  expect(await screen.findByText('Your password was changed')).toBeInTheDocument();
  expect(calls).toEqual([{ userId, password: 'denim 123' }]);
  expect(password).toHaveValue('');
  expect(change, 'the empty fields are validated').toBeDisabled();
  await user.type(password, 'denim 124');
  await user.type(confirmation, 'denim 124');
  await waitFor(() => expect(change).toBeEnabled());
});

test('the present password goes with the new one, and what the hub says about it shows', async () => {
  const calls: unknown[] = [];
  const { user } = renderConsole('/settings/security', {
    ...signedIn,
    users_QueryUserTokens: () => ({ tokens: [] }),
    users_SetUserPassword: (input) => {
      calls.push(input);
      if (calls.length === 1) throw new ActionError('Invalid', 'Enter your present password, too.');
      return {};
    },
  });
  await user.type(await screen.findByLabelText(/^New password/), 'denim 123');
  await user.type(screen.getByLabelText(/^Confirm new password/), 'denim 123');
  expect(screen.getByText('All your other sessions end when you change the password.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Change Password' }));
  expect(await screen.findByText('Enter your present password, too.')).toBeVisible();
  await user.type(screen.getByLabelText(/^Present password/), 'denim 122');
  await user.click(screen.getByRole('button', { name: 'Change Password' }));
  expect(await screen.findByText('Your password was changed')).toBeInTheDocument();
  expect(calls.at(-1)).toEqual({ userId, password: 'denim 123', currentPassword: 'denim 122' });
});

test('"security: change password and manage user tokens.": a token needs a name, shows its secret once, and is deleted after a confirmation', async () => {
  const secret = `u_sk_${'9'.repeat(66)}` as const;
  let tokens: Output<'users_QueryUserTokens'>['tokens'] = [];
  const created: object[] = [];
  const { user, queryClient } = renderConsole('/settings/security', {
    ...signedIn,
    users_QueryUserTokens: () => ({ tokens }),
    users_QueryUserRepositories: () => ({ repositories: [] }),
    users_QueryUserProjects: () => ({
      projects: ['Barn', 'Dock', 'Quay'].map((name, at) => ({
        projectId: `p_${at}` as const,
        name,
        devices: 0,
      })),
    }),
    users_CreateUserToken: ({ name = '', expiresAt = '', ...bounds }) => {
      created.push(bounds);
      tokens = [{ tokenId: 'u_pk_1', name, createdAt: '2026-11-01T10:00:00Z', access: 'full', expiresAt }];
      return { tokenId: 'u_pk_1', token: secret };
    },
    users_DeleteUserToken: () => {
      tokens = [];
      return {};
    },
  });
  await user.click(await screen.findByRole('button', { name: 'New Token' }));
  const form = within(await screen.findByRole('dialog', { name: 'New Token' }));
  expect(form.getByRole('button', { name: 'New Token' })).toBeDisabled();
  await user.type(form.getByRole('textbox', { name: /Name/ }), 'x{Backspace}');
  await user.tab();
  expect(form.getByText('Name must not be empty.')).toBeVisible();
  const projects = form.getByRole('combobox', { name: 'Projects' });
  expect(projects).toHaveTextContent('All of yours');
  await user.click(projects);
  await user.click(await screen.findByRole('option', { name: 'Barn' }));
  await user.click(screen.getByRole('option', { name: 'Quay' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(projects).toHaveTextContent('Barn, Quay'));
  await user.type(form.getByRole('textbox', { name: /Name/ }), 'laptop{Enter}');
  const once = within(await screen.findByRole('dialog', { name: 'User token created' }));
  expect(once.getByText(secret)).toBeVisible();
  expect(created).toEqual([{ userId, projects: ['p_0', 'p_2'], validForDays: 90 }]);
  expect(once.getByRole('group', { name: /^command that sets up/ })).toHaveTextContent('corral configure');
  await user.click(once.getByRole('button', { name: 'I stored it' }));
  await waitFor(() => expect(screen.queryByText(secret)).toBeNull());
  expect(
    JSON.stringify(
      queryClient
        .getMutationCache()
        .getAll()
        .map(({ state }) => state),
    ),
  ).not.toContain(secret);

  await user.click(await screen.findByRole('button', { name: 'Delete token “laptop”' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete token “laptop”' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(tokens).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Delete token “laptop”' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('No user tokens')).toBeVisible();
});

test('the fields of a new user token keep their text after Escape, until it is created', async () => {
  const { user } = renderConsole('/settings/security', {
    ...signedIn,
    users_QueryUserTokens: () => ({ tokens: [] }),
    users_CreateUserToken: () => ({ tokenId: 'u_pk_1', token: `u_sk_${'9'.repeat(66)}` }),
  });
  const nameOf = async () => {
    await user.click(await screen.findByRole('button', { name: 'New Token' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New Token' }));
    return dialog.getByRole('textbox', { name: /Name/ });
  };
  const isClosed = () =>
    waitFor(() => expect(screen.queryByRole('dialog', { name: 'New Token' })).toBeNull());
  await user.type(await nameOf(), 'laptop');
  await user.keyboard('{Escape}');
  await isClosed();
  const name = await nameOf();
  expect(name).toHaveValue('laptop');
  await user.type(name, '{Enter}');
  await user.click(await screen.findByRole('button', { name: 'I stored it' }));
  await isClosed();
  expect(await nameOf()).toHaveValue('');
});

test('all user tokens are revoked together, and the dialog says which the hub keeps', async () => {
  let tokens = (['laptop', 'build server', 'backup'] as const).map((name, at) => ({
    tokenId: `u_pk_${at}` as const,
    name,
    createdAt: '2026-11-01T10:00:00Z',
  }));
  const refused = new Set(['u_pk_1']);
  const { user } = renderConsole('/settings/security', {
    ...signedIn,
    users_QueryUserTokens: () => ({ tokens }),
    users_DeleteUserToken: ({ tokenId }) => {
      if (refused.has(tokenId)) throw new ActionError('Throttled', 'Too many changes. Try again later.');
      tokens = tokens.filter((token) => token.tokenId !== tokenId);
      return {};
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  const bar = within(screen.getByRole('toolbar', { name: 'Actions for the selected rows' }));
  await user.click(bar.getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete 3 tokens' }));
  expect(
    dialog.getByText('Whatever uses these tokens is cut off at once. This cannot be undone.'),
  ).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await dialog.findByText('1 of 3 failed: build server.')).toBeVisible();
  refused.clear();
  await user.click(dialog.getByRole('button', { name: /^Delete/ }));
  expect(await screen.findByText('3 tokens were deleted')).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'No user tokens' })).toBeVisible();
});

test('c creates a user token, with and without others in the list', async () => {
  const hub: { tokens: Output<'users_QueryUserTokens'>['tokens'] } = { tokens: [] };
  const answers = { ...signedIn, users_QueryUserTokens: () => hub };
  const { user, unmount } = renderConsole('/settings/security', answers);
  await screen.findByRole('button', { name: 'New Token' });
  await user.keyboard('c');
  expect(await screen.findByRole('dialog', { name: 'New Token' })).toBeVisible();
  unmount();
  hub.tokens = [{ tokenId: 'u_pk_1', name: 'laptop', createdAt: '2026-11-01T10:00:00Z' }];
  const again = renderConsole('/settings/security', answers);
  await screen.findByRole('table', { name: 'User tokens' });
  await again.user.keyboard('c');
  expect(await screen.findByRole('dialog', { name: 'New Token' })).toBeVisible();
});

test('a token that ends within a week, one that has ended and what each may do are marked in the list', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const token = { createdAt: '2026-11-01T10:00:00Z', access: 'full' } as const;
  renderConsole('/settings/security', {
    ...signedIn,
    users_QueryUserTokens: () => ({
      tokens: [
        { ...token, tokenId: 'u_pk_1', name: 'soon', access: 'read', expiresAt: inDays(6) },
        { ...token, tokenId: 'u_pk_2', name: 'over', projects: [], expiresAt: inDays(-1) },
        { ...token, tokenId: 'u_pk_3', name: 'far', administrator: true, expiresAt: inDays(80) },
      ],
    }),
  });
  const row = async (name: string) => within((await screen.findByText(name)).closest('tr') ?? document.body);
  expect((await row('soon')).getByText('Expires soon')).toBeVisible();
  expect((await row('soon')).getByText('Read only')).toBeVisible();
  expect((await row('over')).getByText('Expired')).toBeVisible();
  expect((await row('far')).getByText('Administrator')).toBeVisible();
  expect((await row('far')).queryByText(/^Expire/)).toBeNull();
});

const session = (id: string, isCurrent: boolean) => ({
  sessionId: `u_session_pk_${id}` as const,
  createdAt: '2026-11-01T10:00:00Z',
  expiresAt: '2026-12-01T10:00:00Z',
  userAgent: agent,
  isCurrent,
});

test('"sessions: active sessions table; user agent truncated at 40 characters.": this session is marked, the others can be ended', async () => {
  let sessions = [session('a', true), session('b', false), session('c', false)];
  const { user } = renderConsole('/settings/sessions', {
    ...signedIn,
    users_QueryUserSessions: () => ({ sessions }),
    users_TerminateUserSession: ({ sessionId }) => {
      sessions = sessions.filter((one) => one.sessionId !== sessionId);
      return {};
    },
  });
  expect(await screen.findAllByText(`${agent.slice(0, 40)}…`)).toHaveLength(3);
  expect(screen.getAllByText('Firefox on Linux')).toHaveLength(3);
  expect(screen.getAllByText('This session')).toHaveLength(1);
  const ends = screen.getAllByRole('button', { name: 'End the session of Firefox on Linux' });
  expect(ends[0]).toHaveAttribute('aria-disabled', 'true');
  await user.click(screen.getByRole('button', { name: 'End all others' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText('2 other sessions are signed out at once. This one stays.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'End all others' }));
  await waitFor(() => expect(sessions.map(({ sessionId }) => sessionId)).toEqual(['u_session_pk_a']));
});

test('ending all others passes over a session that has ended meanwhile, and says why another one was not ended', async () => {
  const refusals: Record<string, ActionError | undefined> = {
    u_session_pk_b: new ActionError('Invalid', 'Session not found.'),
    u_session_pk_c: new ActionError('Throttled', 'Too many changes.'),
  };
  const { user } = renderConsole('/settings/sessions', {
    ...signedIn,
    users_QueryUserSessions: () => ({ sessions: ['a', 'b', 'c'].map((id) => session(id, id === 'a')) }),
    users_TerminateUserSession: ({ sessionId }) => {
      const refusal = refusals[sessionId];
      if (refusal !== undefined) throw refusal;
      return {};
    },
  });
  await user.click(await screen.findByRole('button', { name: 'End all others' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: 'End all others' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Too many changes.');
  refusals['u_session_pk_c'] = undefined;
  await user.click(dialog.getByRole('button', { name: 'End all others' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});
