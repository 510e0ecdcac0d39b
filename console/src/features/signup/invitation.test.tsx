import { ActionError } from '@corral/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { held, renderConsole, signedIn, signedOut } from '../../../test/render-console.tsx';

const found = {
  result: 'Found',
  kind: 'Project',
  name: 'Quay',
  email: 'kim@harbour.example',
  invitedBy: { displayName: 'Mara Keller', email: 'mara@harbour.example' },
  expiresAt: '2026-11-15T10:00:00Z',
} as const;
const closed = { readConfig: async () => ({ isRegistrationOpen: false }) as never };

test('an invitation opens the form with its address filled in and fixed, also where registration is closed', async () => {
  const calls: unknown[] = [];
  const { user, address } = renderConsole(
    '/signup?invitation=a.b.c',
    {
      ...signedOut,
      users_ResolveInvitation: () => found,
      users_RegisterUser: (input) => {
        calls.push(input);
        return { result: 'Created', status: { tag: 'Pending' }, createdAt: '2026-11-01T10:00:00Z' } as never;
      },
    },
    closed,
  );
  const email = await screen.findByRole('textbox', { name: /^Email/u });
  expect(email).toHaveValue('kim@harbour.example');
  expect(email).toHaveAttribute('readonly');
  expect(screen.getByText(/Mara Keller invites you to the project/u)).toHaveTextContent('Quay');
  expect(address()).toBe('/signup');
  await user.type(screen.getByRole('textbox', { name: /Full name/u }), 'Kim');
  await user.type(screen.getByLabelText('Password (required)'), 'denim-rivet-and-canvas');
  await user.type(screen.getByLabelText(/Confirm password/u), 'denim-rivet-and-canvas');
  await user.click(screen.getByRole('checkbox', { name: /I agree/u }));
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  expect(await screen.findByRole('heading', { name: 'Awaiting Email Confirmation' })).toBeVisible();
  expect(calls).toMatchObject([{ email: 'kim@harbour.example', invitationToken: 'a.b.c' }]);
  expect(screen.queryByRole('button', { name: 'Use another email' })).toBeNull();
});

test('while an invitation is opened the page says so, and its heading takes the focus afterwards', async () => {
  const answer = held<typeof found>();
  renderConsole('/signup?invitation=a.b.c', {
    ...signedOut,
    users_ResolveInvitation: () => answer.promise,
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Opening Your Invitation' })).toBeVisible();
  await waitFor(() => expect(document.title).toMatch(/^Opening Your Invitation/u));
  answer.resolve(found);
  expect(await screen.findByRole('heading', { level: 1, name: 'Create Your Account' })).toHaveFocus();
  await waitFor(() => expect(document.title).toMatch(/^Create Your Account/u));
});

test('an invitation that has ended says so, above what the page shows otherwise', async () => {
  renderConsole(
    '/signup?invitation=a.b.c',
    { ...signedOut, users_ResolveInvitation: () => ({ result: 'NotFound' }) },
    closed,
  );
  expect(await screen.findByText('The invitation has ended')).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Sign-Up Is Closed' })).toBeVisible();
});

test('who is signed in comes to the invitations', async () => {
  const { address } = renderConsole('/signup?invitation=a.b.c', {
    ...signedIn,
    users_ResolveInvitation: () => ({ ...found, email: 'mara@harbour.example' }),
  });
  await waitFor(() => expect(address()).toBe('/user/invitations?link=a.b.c'));
});

test('after the activation the sign-in leads to the invitations that wait', async () => {
  renderConsole('/signup/verify?jwt=a', {
    ...signedOut,
    users_CompleteRegistration: () => ({ result: 'Completed', hasInvitations: true }),
  });
  expect(await screen.findByText(/Invitations wait for you/u)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go now' })).toHaveAttribute(
    'href',
    '/login?redirect=%2Fuser%2Finvitations',
  );
});

test('an invitation that could not be read is not called ended, and can be read again', async () => {
  let isDown = true;
  const { user } = renderConsole('/signup?invitation=a.b.c', {
    ...signedOut,
    users_ResolveInvitation: () => {
      if (isDown) throw new ActionError('Internal', 'The hub could not be reached.');
      return found;
    },
  });
  expect(await screen.findByText('The invitation could not be read')).toBeVisible();
  expect(screen.getByText('The hub could not be reached.')).toBeVisible();
  expect(screen.queryByText('The invitation has ended')).toBeNull();
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText(/Mara Keller invites you to the project/u)).toBeVisible();
});
