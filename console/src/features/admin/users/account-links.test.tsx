import type { AnswerTable } from '@corral/client';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { adminAnswers, listedUser } from '../../../../test/admin-answers.ts';
import { renderConsole, userId, withoutMail } from '../../../../test/render-console.tsx';

const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }));

const issued = { url: 'https://hub.example/set-password?jwt=a.b.c', expiresAt: '2026-11-21T12:00:00Z' };

test('without a mail server New User shows a link to set a password, once', async () => {
  const created: unknown[] = [];
  const answers: AnswerTable = {
    ...adminAnswers,
    users_CreateUser: (input) => (created.push(input), { result: 'Created', userId }),
    users_IssuePasswordLink: () => issued,
  };
  const { user, address } = renderConsole('/admin/users/new', answers, withoutMail);
  const dialog = await dialogOf('New User');
  const box = await dialog.findByRole('checkbox', { name: /Show a link/ });
  expect(box).toBeChecked();
  await user.type(dialog.getByRole('textbox', { name: /Email/ }), 'bea@harbour.example');
  await user.click(dialog.getByRole('button', { name: 'New User' }));
  const link = await dialogOf('The link for bea@harbour.example');
  expect(link.getByText(issued.url)).toBeVisible();
  expect(created).toEqual([{ email: 'bea@harbour.example', isAdmin: false, sendPasswordLink: false }]);
  await user.click(link.getByRole('button', { name: 'I stored it' }));
  await waitFor(() => expect(screen.queryByText(issued.url)).toBeNull());
  await waitFor(() => expect(address()).toBe('/admin/users'));
});

test.each([
  ['without a mail server', withoutMail, 0],
  ['with one', {}, 1],
] as const)('a link to set a password is copied %s, and mailed only with one', async (_name, hub, mails) => {
  const answers: AnswerTable = { ...adminAnswers, users_IssuePasswordLink: () => issued };
  const { user } = renderConsole('/admin/users', answers, hub);
  await user.click(await screen.findByRole('button', { name: 'Actions for ann@harbour.example' }));
  const item = await screen.findByRole('menuitem', { name: 'Copy link to set a password' });
  expect(screen.queryAllByRole('menuitem', { name: 'Mail link to set a password' })).toHaveLength(mails);
  await user.click(item);
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Show Link' }));
  const link = await dialogOf('The link for ann@harbour.example');
  expect(link.getByText(issued.url)).toBeVisible();
});

test('pending registrations have a link to copy, and are deleted', async () => {
  const calls: unknown[] = [];
  let registrations = [
    {
      userId: 'u_5' as const,
      email: 'kim@harbour.example',
      displayName: 'Kim',
      createdAt: '2026-11-01T10:00:00Z',
      expiresAt: '2026-11-08T10:00:00Z',
    },
  ];
  const { user } = renderConsole('/admin/users', {
    ...adminAnswers,
    users_QueryRegistrations: () => ({ registrations }),
    users_IssueRegistrationLink: (input) => (calls.push(input), issued),
    users_DeleteRegistration: (input) => {
      calls.push(input);
      registrations = [];
      return {};
    },
  });
  document.execCommand = () => true;
  await user.click(await screen.findByRole('button', { name: 'Copy Link for kim@harbour.example' }));
  expect(await screen.findByText(/^The link for kim@harbour.example was copied/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Delete the registration of kim@harbour.example' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Pending registrations' })).toBeNull());
  expect(calls).toEqual([{ userId: 'u_5' }, { userId: 'u_5' }]);
});

test('an administrator confirms an address', async () => {
  const calls: unknown[] = [];
  const { user } = renderConsole('/admin/users', {
    ...adminAnswers,
    users_QueryUsers: () => ({ users: [{ ...listedUser(1, 'ann'), isEmailUnconfirmed: true }] }),
    users_ConfirmUserEmail: (input) => (calls.push(input), {}),
  });
  expect(await screen.findByText('Address not confirmed')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Actions for ann@harbour.example' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Confirm the address' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Confirm the address' }));
  expect(await screen.findByText('The address ann@harbour.example is confirmed')).toBeInTheDocument();
  expect(calls).toEqual([{ userId: 'u_1' }]);
});
