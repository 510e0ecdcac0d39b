import { ActionError } from '@corral/contract';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { held, renderConsole, signedIn, userId, withoutMail } from '../../../test/render-console.tsx';

const toRepository = {
  invitationId: 'repo_invite_1',
  repository: { repositoryId: 'repo_1', name: 'firmware' },
  invitedBy: { displayName: 'Jon', email: 'jon@harbour.example' },
  createdAt: '2026-11-01T10:00:00Z',
  expiresAt: '2026-11-15T10:00:00Z',
} as const;

test('"project and repository invitations, each with an Accept button" and "Invitations: pending to accepted.": accepting moves in, and the count in the header drops', async () => {
  const calls: unknown[] = [];
  let invitations: (typeof toRepository)[] = [toRepository];
  const { user, address } = renderConsole('/user/invitations', {
    ...signedIn,
    users_QueryUserRepositoryInvitations: () => ({ invitations }),
    users_AcceptRepositoryInvitation: (input) => {
      calls.push(input);
      invitations = [];
      return {};
    },
  });
  expect(await screen.findByRole('button', { name: /Mara Keller.*1 invitation/u })).toBeVisible();
  expect(await screen.findByText('Jon (jon@harbour.example)')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Accept the invitation to “firmware”' }));
  expect(await screen.findByRole('heading', { name: 'No invitations' })).toBeVisible();
  expect(await screen.findByRole('button', { name: /Mara Keller$/u })).toBeVisible();
  expect(calls).toEqual([{ invitationId: 'repo_invite_1' }]);
  expect(address()).toBe('/user/invitations');
});

test('an invitation that has ended meanwhile is refused with the reason, and stays until the list is read again', async () => {
  const { user } = renderConsole('/user/invitations', {
    ...signedIn,
    users_QueryUserRepositoryInvitations: () => ({ invitations: [toRepository] }),
    users_AcceptRepositoryInvitation: () => {
      throw new ActionError('Invalid', 'Invitation not found.');
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Accept the invitation to “firmware”' }));
  expect(await screen.findAllByText('Invitation not found.')).not.toHaveLength(0);
  expect(screen.getByRole('button', { name: 'Accept the invitation to “firmware”' })).toBeVisible();
});

test('a double click accepts once, and not the next invitation, which moves up', async () => {
  const answer = held<Record<string, never>>();
  const accept = vi.fn((_input: { invitationId: string }) => answer.promise);
  const next = {
    ...toRepository,
    invitationId: 'repo_invite_2',
    repository: { repositoryId: 'repo_2', name: 'models' },
  } as const;
  let invitations: (typeof toRepository | typeof next)[] = [toRepository, next];
  renderConsole('/user/invitations', {
    ...signedIn,
    users_QueryUserRepositoryInvitations: () => ({ invitations }),
    users_AcceptRepositoryInvitation: accept,
  });
  const button = await screen.findByRole('button', { name: 'Accept the invitation to “firmware”' });
  fireEvent.click(button, { detail: 1 });
  fireEvent.click(button, { detail: 1 });
  await waitFor(() => expect(button).not.toBeInTheDocument());
  fireEvent.click(screen.getByRole('button', { name: 'Accept the invitation to “models”' }), { detail: 2 });
  invitations = [next];
  answer.resolve({});
  expect(await screen.findByText('You are a member of “firmware” now')).toBeVisible();
  expect(accept.mock.calls.map(([{ invitationId }]) => invitationId)).toEqual(['repo_invite_1']);
});

test('a double click asks once whether to decline', async () => {
  const { user } = renderConsole('/user/invitations', {
    ...signedIn,
    users_QueryUserRepositoryInvitations: () => ({ invitations: [toRepository] }),
  });
  await user.dblClick(await screen.findByRole('button', { name: 'Decline the invitation to “firmware”' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

test('the count in the header follows the live stream', async () => {
  let invitations: (typeof toRepository)[] = [];
  const { stream } = renderConsole('/projects', {
    ...signedIn,
    users_QueryUserRepositoryInvitations: () => ({ invitations }),
  });
  await screen.findByRole('button', { name: /Mara Keller$/u });
  invitations = [toRepository];
  act(() => stream()?.onChange({ topic: 'invitations', userId }));
  expect(await screen.findByRole('button', { name: /Mara Keller.*1 invitation/u })).toBeVisible();
});

test('a link for another address says whose it is', async () => {
  renderConsole(`/user/invitations?link=a.b.${'c'.repeat(43)}`, {
    ...signedIn,
    users_ResolveInvitation: () => ({
      result: 'Found',
      kind: 'Project',
      name: 'Quay',
      email: 'kim@harbour.example',
      expiresAt: '2026-11-15T10:00:00Z',
    }),
  });
  expect(await screen.findByText('The link is for kim@harbour.example')).toBeVisible();
  await waitFor(() => expect(screen.getByText(/You are signed in as mara@harbour.example/u)).toBeVisible());
});

test.each([
  ['without a mail server', withoutMail, false],
  ['with one', {}, true],
] as const)(
  'an unconfirmed address is told what it misses, and how it is confirmed %s',
  async (_name, hub, isMailed) => {
    const calls: unknown[] = [];
    const { user } = renderConsole(
      '/user/invitations',
      {
        ...signedIn,
        users_GetUserDetails: () => ({
          userId,
          email: 'mara@harbour.example',
          isAdmin: false,
          isEmailUnconfirmed: true,
        }),
        users_SendPasswordLink: (input) => {
          calls.push(input);
          return { expiresAt: '2026-11-21T12:00:00Z' };
        },
      },
      hub,
    );
    expect(await screen.findByText('Your email address is not confirmed yet')).toBeVisible();
    if (!isMailed) {
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Mail the Link' })).toBeNull());
      return;
    }
    await user.click(screen.getByRole('button', { name: 'Mail the Link' }));
    expect(await screen.findByText('A link is on its way to mara@harbour.example')).toBeInTheDocument();
    expect(calls).toEqual([{ userId }]);
  },
);
