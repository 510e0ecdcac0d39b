import type { AuditLogEvent } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { adminAnswers, listedJob } from '../../../../test/admin-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';
import { parseJobsSearch } from './jobs-search.ts';

test('chips with counts show the jobs of one status, in the URL', async () => {
  const asked: unknown[] = [];
  const { user, address } = renderConsole('/admin/jobs', {
    ...adminAnswers,
    jobs_QueryJobs: ({ status }) => {
      asked.push(status);
      return { jobs: status === 'Cancelled' ? [] : [listedJob(1, 'sweep', 'Failed')] };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Failed 2' }));
  await waitFor(() => expect(address()).toBe('/admin/jobs?status=Failed'));
  await waitFor(() => expect(asked).toContain('Failed'));
  await user.click(await screen.findByRole('button', { name: 'Cancelled 0' }));
  expect(await screen.findByText('Nothing matches')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(address()).toBe('/admin/jobs'));
  expect(await screen.findByText('sweep')).toBeVisible();
  expect(parseJobsSearch({ status: 'Lost' })).toEqual({});
});

test('an entry of the log leads to the job that caused it', async () => {
  const { jobId } = listedJob(1, 'sweep', 'Failed');
  const entry = {
    eventId: 'audit_ev_20261002-1000-aaaaaaa1',
    actor: { actor: 'System', kind: 'System' },
    event: 'assets_Collected',
    data: {},
    createdAt: '2026-11-01T10:00:00Z',
    job: { jobId },
  } as unknown as AuditLogEvent;
  const { user, address } = renderConsole(`/admin/log?entry=${entry.eventId}`, {
    ...adminAnswers,
    audit_QueryAuditLogEvents: () => ({ events: [entry] }),
    jobs_QueryJobs: () => ({ jobs: [listedJob(2, 'scrub', 'Completed'), listedJob(1, 'sweep', 'Failed')] }),
  });
  await user.click(await screen.findByRole('link', { name: 'Show the job' }));
  await waitFor(() => expect(address()).toBe(`/admin/jobs?q=${jobId}`));
  const table = within(await screen.findByRole('table', { name: 'Jobs' }));
  expect(await table.findByText('sweep')).toBeVisible();
  expect(table.queryByText('scrub')).toBeNull();
});

test('completed jobs of a type are one row with their number and duration, unless all are asked for', async () => {
  const asked: unknown[] = [];
  const swept = {
    ...listedJob(1, 'sweep', 'Completed'),
    startedAt: '2026-11-01T10:00:01Z',
    finishedAt: '2026-11-01T10:00:01.250Z',
  };
  const { user, address } = renderConsole('/admin/jobs', {
    ...adminAnswers,
    jobs_QueryJobs: ({ isFolded, status }) => {
      asked.push([isFolded, status]);
      const jobs = [listedJob(2, 'scrub', 'Failed'), isFolded === true ? { ...swept, runs: 1440 } : swept];
      return { jobs };
    },
  });
  const table = within(await screen.findByRole('table', { name: 'Jobs' }));
  expect(await table.findByText('took 250 ms · 1,440 times')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'All' }));
  await waitFor(() => expect(address()).toBe('/admin/jobs?status=All'));
  expect(await table.findByText('took 250 ms')).toBeVisible();
  expect(asked).toEqual([
    [true, undefined],
    [undefined, undefined],
  ]);
});
