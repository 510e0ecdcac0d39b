import { afterAll, beforeAll, expect, test } from 'vitest';
import { anonymous, freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

test('the list is empty before the job queue was started', async () => {
  const admin = await hub.user('admin@example.org', { isAdmin: true });
  expect(await hub.as(admin, 'jobs_QueryJobs', {})).toEqual({ jobs: [] });
  const none = { pending: 0, completed: 0, failed: 0, expired: 0, cancelled: 0 };
  expect(await hub.as(admin, 'jobs_CountJobs', {})).toEqual(none);
});

test('only administrators see jobs', async () => {
  const user = await hub.user('ann@example.org');
  expect((await hub.refusal(user, 'jobs_QueryJobs', {})).kind).toBe('Forbidden');
  expect((await hub.refusal(user, 'jobs_CountJobs', {})).kind).toBe('Forbidden');
  expect((await hub.refusal(anonymous, 'jobs_QueryJobs', {})).kind).toBe('NotSignedIn');
});
