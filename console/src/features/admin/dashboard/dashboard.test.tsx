import { ActionError, type Id, type Output } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { adminAnswers, clusterNode, listedJob } from '../../../../test/admin-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';

const card = async (title: string) => {
  const heading = await screen.findByRole('heading', { level: 2, name: title });
  return within(heading.closest('section, li') as HTMLElement);
};

test('a sentence says how many devices are connected, and each count how it changed within seven days', async () => {
  renderConsole('/admin/dashboard', adminAnswers);
  const heading = await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
  expect(heading.closest('header')).toHaveTextContent('1,100 of 1,240 devices connected through 1 node');
  const lines = await screen.findAllByRole('img', { name: / in 7 days: between / });
  expect(lines.map((line) => line.getAttribute('aria-label'))).toEqual([
    'Devices in 7 days: between 1,200 and 1,240',
    'Projects in 7 days: between 7 and 7',
    'Users in 7 days: between 40 and 42',
    'Cluster nodes in 7 days: between 1 and 1',
    'Connections of quay in 7 days: between 8 and 12',
  ]);
  // Beside the number, and below it on a phone.
  expect(screen.getAllByText('+40 in 7 days')).toHaveLength(2);
  expect(screen.getAllByText('+2 in 7 days')).toHaveLength(2);
  expect(screen.getAllByText('no change')).toHaveLength(4);
  expect(
    screen.getByRole('img', {
      name: /^Connected devices of the last 7 days: between 1,100 and 1,150, now 1,100$/,
    }),
  ).toBeVisible();
  expect(screen.getByText('Nothing needs an administrator')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Jobs that failed' })).toBeNull();
});

test('a line of less than a week says since when it is', async () => {
  const week = adminAnswers.instance_QueryHistory?.({} as never) as object;
  renderConsole('/admin/dashboard', {
    ...adminAnswers,
    instance_QueryHistory: () =>
      ({ ...week, users: [...Array.from({ length: 48 }, () => null), 40] }) as never,
  });
  expect(await screen.findAllByText('+2 since 17 Nov')).toHaveLength(2);
});

test('several nodes are areas on each other, the largest by name and the rest as one', async () => {
  const week = adminAnswers.instance_QueryHistory?.({ range: 'Week' }) as Output<'instance_QueryHistory'>;
  const [quay] = week.nodes;
  if (quay === undefined) throw new Error('There is no node.');
  const nodes = ['n-10', 'n-2', 'n-3', 'n-4', 'n-5', 'gone'].map((name, index) => ({
    ...quay,
    name,
    connections: name === 'gone' ? [0, null, null] : [500 - index, null, index === 0 ? null : 100],
  }));
  renderConsole('/admin/dashboard', {
    ...adminAnswers,
    instance_QueryHistory: () => ({ ...week, nodes }),
  });
  expect(await screen.findByRole('img', { name: 'Connections of the last 7 days by node' })).toBeVisible();
  const table = screen.getByRole('table', { name: 'Connections of the last 7 days by node' });
  const rows = within(table)
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('th:not([scope=row]), td')].map(({ textContent }) => textContent));
  expect(rows).toEqual([
    ['Time', 'n-2', 'n-3', 'n-10', 'other nodes'],
    ['499', '498', '500', '993'],
    ['no record', 'no record', 'no record', 'no record'],
    ['100', '100', '0', '200'],
  ]);
});

test('a node shows its connections, load and memory, in amber above 80 %, and nothing that it does not tell', async () => {
  const { load: _load, cores: _cores, ...silent } = clusterNode(1, 'winch');
  const nodes = [clusterNode(2, 'quay'), silent];
  renderConsole('/admin/dashboard', { ...adminAnswers, cluster_GetClusterDetails: () => ({ nodes }) });
  const quay = await card('quay');
  expect(quay.getByText('connections').parentElement).toHaveTextContent('20 connections');
  const load = quay.getByRole('meter', { name: 'Load' });
  expect(load).toHaveAttribute('aria-valuetext', '3.4 of 4 cores');
  expect(load.firstElementChild).toHaveClass('bg-warn-fill');
  expect(quay.getByRole('meter', { name: 'Memory' }).firstElementChild).toHaveClass('bg-denim');
  expect((await card('winch')).queryByRole('meter', { name: 'Load' })).toBeNull();
});

test('what needs an administrator is listed with its action, and failed jobs are tried again', async () => {
  const repositoryId = 'repo_aaaaaaaaaaaaaaaaaaaaaa' as Id<'repository'>;
  const { jobId } = listedJob(1, 'sweep', 'Failed');
  const retried: unknown[] = [];
  let isRefused = true;
  const { user } = renderConsole('/admin/dashboard', {
    ...adminAnswers,
    instance_GetInstanceStatistics: () => ({
      users: 1,
      projects: 1,
      devices: 1,
      damagedAssets: { count: 1204, repositories: [{ repositoryId, name: 'firmware', count: 1200 }] },
    }),
    jobs_SummarizeFailures: () => ({
      types: [
        {
          job: 'sweep',
          failures: 2,
          jobId,
          failedAt: '2026-11-22T09:00:00Z',
          error: 'The disk is full.',
          isFailing: true,
        },
        { job: 'scrub', failures: 1, jobId, failedAt: '2026-11-22T08:00:00Z', isFailing: false },
      ],
    }),
    audit_GetSealState: () => ({
      seals: 3,
      check: {
        requestedAt: '2026-11-22T08:00:00Z',
        seals: 3,
        checkedSeals: 3,
        checkedRows: 9,
        isIntact: false,
      },
    }),
    jobs_RetryJob: (input) => {
      if (isRefused)
        throw new ActionError('Invalid', 'Another sweep already waits or runs; nothing was changed.');
      retried.push(input);
      return {};
    },
  });
  const needs = await card('Needs an administrator');
  expect(await needs.findByText('The audit log')).toBeVisible();
  expect(needs.getAllByRole('listitem').filter((item) => item.parentElement?.id === 'needs')).toHaveLength(3);
  const link = needs.getByRole('link', { name: 'firmware (1,200)' });
  expect(link).toHaveAttribute('href', `/repositories/${repositoryId}/assets`);
  expect(screen.getByText('3', { selector: 'header b' })).toBeVisible();
  await user.click(needs.getByRole('button', { name: 'Retry sweep' }));
  await screen.findAllByText(/^Another sweep already waits/);
  isRefused = false;
  await user.click(needs.getByRole('button', { name: 'Retry sweep' }));
  await waitFor(() => expect(retried).toEqual([{ jobId }]));
  const failures = await card('Jobs that failed');
  expect(failures.getByText('3 in 24 hours')).toBeVisible();
  expect(failures.getByRole('link', { name: 'scrub' })).toHaveAttribute(
    'href',
    '/admin/jobs?status=Failed&q=scrub',
  );
  expect(failures.getByText('twice')).toBeVisible();
});

test('an e-mail that nobody gets has its link to copy, without a mail server also that of a registration', async () => {
  const issued: unknown[] = [];
  const { user } = renderConsole('/admin/dashboard', {
    ...adminAnswers,
    users_QueryWaitingMails: () => ({
      mails: [
        {
          mailId: 'm1',
          kind: 'PasswordLink',
          email: 'tom@harbour.example',
          userId: 'u_7',
          queuedAt: '2026-11-22T09:00:00Z',
          attempts: 3,
        },
        {
          mailId: 'm2',
          kind: 'Invitation',
          email: 'ines@harbour.example',
          queuedAt: '2026-11-22T09:10:00Z',
          attempts: 2,
        },
      ],
    }),
    users_QueryRegistrations: () => ({
      registrations: [
        {
          userId: 'u_8',
          email: 'lena@harbour.example',
          createdAt: '2026-11-22T08:00:00Z',
          expiresAt: '2026-11-23T08:00:00Z',
        },
      ],
    }),
    users_IssuePasswordLink: (input) => (
      issued.push(input),
      { url: 'https://hub.example/x', expiresAt: '2026-11-23T08:00:00Z' }
    ),
  });
  const mails = await card('Waiting mail');
  expect(mails.getAllByRole('listitem')).toHaveLength(2);
  expect(mails.getAllByRole('button', { name: /^Copy Link/ })).toHaveLength(1);
  const needs = await card('Needs an administrator');
  expect(needs.getByText('2 e-mails')).toBeVisible();
  expect(needs.getByRole('link', { name: 'Review: 1 person' })).toHaveAttribute('href', '/admin/users');
  await user.click(mails.getByRole('button', { name: 'Copy Link for tom@harbour.example' }));
  await waitFor(() => expect(issued).toEqual([{ userId: 'u_7' }]));
});

test('a newer release is named with what is urgent of it, and leads to how to upgrade', async () => {
  const counts = { users: 1, projects: 1, devices: 1 };
  const newerRelease = {
    version: '1.5.0',
    notes: 'Before you upgrade: Make a backup.\nSecurity: A link opens once.',
  };
  renderConsole('/admin/dashboard', {
    ...adminAnswers,
    instance_GetInstanceStatistics: () => ({ ...counts, newerRelease }),
  });
  const needs = await card('Needs an administrator');
  expect(needs.getByRole('listitem')).toHaveTextContent(
    'Corral 1.5.0 is out, and newer than this hubBefore you upgrade: Make a backup. Security: A link opens once.',
  );
  const link = needs.getByRole('link', { name: 'How to upgrade to Corral 1.5.0' });
  expect(link).toHaveAttribute('href', '/docs/operations/upgrade');
});
