import { ActionError } from '@corral/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { held, renderConsole, signedIn, signedOut, withoutMail } from '../../../test/render-console.tsx';

const token = `a.b.${'c'.repeat(43)}`;
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
    `/signup?invitation=${token}`,
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
  expect(calls).toMatchObject([{ email: 'kim@harbour.example', invitationToken: token }]);
  expect(screen.queryByRole('button', { name: 'Use another email' })).toBeNull();
});

test('while an invitation is opened the page says so, and its heading takes the focus afterwards', async () => {
  const answer = held<typeof found>();
  renderConsole(`/signup?invitation=${token}`, {
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
    `/signup?invitation=${token}`,
    { ...signedOut, users_ResolveInvitation: () => ({ result: 'NotFound' }) },
    closed,
  );
  expect(await screen.findByText('The invitation has ended')).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Sign-Up Is Closed' })).toBeVisible();
});

test('a signed-in user comes to the invitations', async () => {
  const { address } = renderConsole(`/signup?invitation=${token}`, {
    ...signedIn,
    users_ResolveInvitation: () => ({ ...found, email: 'mara@harbour.example' }),
  });
  await waitFor(() => expect(address()).toBe(`/user/invitations?link=${token}`));
});

test('after the activation the sign-in leads to the invitations that wait', async () => {
  localStorage.setItem('corral.registrations', 'u_1');
  const { user } = renderConsole(`/signup/verify?jwt=${token}`, {
    ...signedOut,
    users_ResolveAccountLink: () => ({ result: 'Registration', userId: 'u_1', email: 'kim@harbour.example' }),
    users_CompleteRegistration: () => ({ result: 'Completed', hasInvitations: true }),
  });
  await user.click(await screen.findByRole('button', { name: 'Activate Account' }));
  expect(await screen.findByText(/Invitations wait for you/u)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go now' })).toHaveAttribute(
    'href',
    '/login?redirect=%2Fuser%2Finvitations',
  );
});

test('an invitation that could not be read is not called ended, and can be read again', async () => {
  let isDown = true;
  const { user } = renderConsole(`/signup?invitation=${token}`, {
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

test('a cut link is called incomplete, and not ended', async () => {
  renderConsole('/signup?invitation=a.b.c', signedOut, closed);
  expect(await screen.findByText('The link is incomplete')).toBeVisible();
  expect(screen.queryByText('The invitation has ended')).toBeNull();
});

test('without a mail server the sign-up by an invitation makes the account, and leads to it', async () => {
  const { user } = renderConsole(
    `/signup?invitation=${token}`,
    {
      ...signedOut,
      users_ResolveInvitation: () => found,
      users_RegisterUser: () => ({
        result: 'Created',
        status: { tag: 'Completed' },
        createdAt: '2026-11-01T10:00:00Z',
      }),
    },
    withoutMail,
  );
  expect(await screen.findByRole('textbox', { name: /^Email/u })).toHaveAccessibleDescription(
    'The invitation is for this address.',
  );
  await user.type(screen.getByRole('textbox', { name: /Full name/u }), 'Kim');
  await user.type(screen.getByLabelText('Password (required)'), 'denim-rivet-and-canvas');
  await user.type(screen.getByLabelText(/Confirm password/u), 'denim-rivet-and-canvas');
  await user.click(screen.getByRole('checkbox', { name: /I agree/u }));
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  expect(await screen.findByRole('heading', { name: 'Account Activated' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go now' })).toHaveAttribute(
    'href',
    '/login?redirect=%2Fuser%2Finvitations',
  );
});
