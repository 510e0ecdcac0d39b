import type { AnswerTable } from '@corral/client';
import type { CallInput } from '@corral/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { adminAnswers } from '../../../test/admin-answers.ts';
import { renderConsole, signedIn } from '../../../test/render-console.tsx';
import type { SignIn } from './sign-in-columns.tsx';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const entry = (number: number, more: Partial<SignIn>): SignIn => ({
  eventId: `audit_ev_20261102-1000-aaaaaa${number}`,
  at: '2026-11-02T10:00:00Z',
  hasSucceeded: true,
  methods: ['password'],
  isCurrent: false,
  ...more,
});
const signIns = [
  entry(11, { isCurrent: true, methods: ['password', 'totp'], address: '203.0.113.7', userAgent: firefox }),
  entry(12, { hasSucceeded: false, address: '2001:db8:1:2::/64' }),
  entry(13, { hasSucceeded: false, sessionId: 'u_session_pk_a' }),
  entry(14, { methods: [] }),
];
const answers: AnswerTable = { ...signedIn, users_QueryUserTokens: () => ({ tokens: [] }) };
const row = (name: string) => within(screen.getByText(name).closest('tr') ?? document.body);

test('the Security page lists sign-ins with how, from where and in which browser, marks those that failed and the current one, and loads more', async () => {
  const asked: CallInput<'users_QuerySignIns'>[] = [];
  const { user } = renderConsole('/settings/security', {
    ...answers,
    users_QuerySignIns: (input) => {
      asked.push(input);
      return input.limit === 10 ? { signIns: signIns.slice(0, 1), next: 'n' } : { signIns };
    },
  });
  const table = within(await screen.findByRole('table', { name: 'Sign-in history' }));
  expect(table.getByText('This session')).toBeVisible();
  expect(row('This session').getByText('Password, Authenticator')).toBeVisible();
  expect(row('This session').getByText('203.0.113.7')).toBeVisible();
  expect(row('This session').getByText('Firefox on Linux')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  expect(await table.findByText('Failed')).toBeVisible();
  expect(row('Failed').getByText('2001:db8:1:2::/64')).toBeVisible();
  expect(row('Failed to confirm').getAllByText('Unknown')).toHaveLength(2);
  // One of an older hub.
  expect(row('Signed in').getAllByText('Unknown')).toHaveLength(3);
  expect(asked.map(({ limit }) => limit)).toEqual([10, 50]);
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
});

test('it says when there are none', async () => {
  renderConsole('/settings/security', answers);
  expect(await screen.findByText('No sign-ins in the last 30 days.')).toBeVisible();
});

test('an administrator opens those of a user', async () => {
  const { user } = renderConsole('/admin/users', {
    ...adminAnswers,
    users_QuerySignIns: (input) => ({
      signIns: input.userId === 'u_1' ? [entry(12, { hasSucceeded: false })] : [],
    }),
  });
  await user.click(await screen.findByRole('button', { name: 'Actions for ann@harbour.example' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Show sign-ins' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign-in history' }));
  expect(dialog.getByText('ann@harbour.example')).toBeVisible();
  expect(await dialog.findByText('Failed')).toBeVisible();
});
