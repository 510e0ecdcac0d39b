import type { LiveChange } from '@corral/contract';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isStaleAfter, parseLiveChange } from './live-changes.ts';
import { createThrottledRefresh } from './throttled-refresh.ts';
import { deviceConnectionsQuery, deviceEventsQuery, deviceQuery } from '../features/devices/queries.ts';
import { projectDevicesQuery, projectLogQuery, projectQuery } from './queries-projects.ts';
import { userProjectsQuery, userSessionsQuery } from './queries-account.ts';

const mine = 'u_1' as const;
const here: LiveChange = { topic: 'connections', projectId: 'p_1', deviceId: 'd_1' };

describe('a change makes stale', () => {
  test.each([
    ['the devices of its project', projectDevicesQuery('p_1').queryKey, here, true],
    ['not the devices of another project', projectDevicesQuery('p_2').queryKey, here, false],
    ['its device', deviceQuery('d_1').queryKey, here, true],
    ['the connection history of its device', deviceConnectionsQuery('d_1', 10).queryKey, here, true],
    ['not another device', deviceQuery('d_2').queryKey, here, false],
    ['the counts of its project', projectQuery('p_1').queryKey, here, true],
    ['the list of projects', userProjectsQuery(mine).queryKey, here, true],
    ['not the events', deviceEventsQuery('d_1').queryKey, here, false],
    [
      'the events, with any filter',
      deviceEventsQuery('d_1', { filter: 'severity:error' }).queryKey,
      { topic: 'events', deviceId: 'd_1' },
      true,
    ],
    [
      'every device of the project, when many changed at once',
      deviceQuery('d_2').queryKey,
      { topic: 'connections', projectId: 'p_1' },
      true,
    ],
    [
      'the log of its project',
      projectLogQuery('p_1', { limit: 5 }).queryKey,
      { topic: 'log', projectId: 'p_1' },
      true,
    ],
    ['the sessions of its user', userSessionsQuery(mine).queryKey, { topic: 'sessions', userId: mine }, true],
    [
      'not the sessions of another user',
      userSessionsQuery(mine).queryKey,
      { topic: 'sessions', userId: 'u_2' },
      false,
    ],
    [
      'the projects of the reader, when somebody joined one',
      userProjectsQuery(mine).queryKey,
      { topic: 'members', projectId: 'p_1', userId: 'u_2' },
      true,
    ],
    ['no query that is not an action', ['config'], { topic: 'projects' }, false],
  ] as const)('%s', (_name, key, change, isStale) => {
    expect(isStaleAfter(key, change as LiveChange)).toBe(isStale);
  });
});

test('a message that is not a change, or has an unknown topic, is ignored', () => {
  expect(parseLiveChange('{"topic":"devices","projectId":"p_1"}')).toEqual({
    topic: 'devices',
    projectId: 'p_1',
  });
  for (const data of ['', '{', 'null', '[]', '{"topic":"toString"}', '{"topic":"tides"}', '{"topic":7}'])
    expect(parseLiveChange(data), data).toBeUndefined();
});

test('a storm of changes refetches a query at once, and then once after each rest', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const client = new QueryClient();
  const readMs = 500;
  let reads = 0;
  const queryFn = () =>
    new Promise<number>((resolve) => void setTimeout(() => resolve((reads += 1)), readMs));
  const queryKey = projectDevicesQuery('p_1').queryKey as unknown as readonly unknown[];
  client.setQueryData(queryKey, 0);
  const stop = new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {});
  onTestFinished(stop);
  const refresh = createThrottledRefresh(client);
  const storm = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 10) {
      refresh.where((key) => isStaleAfter(key, here));
      await vi.advanceTimersByTimeAsync(10);
    }
  };
  await storm(readMs + 20);
  expect(reads).toBe(1);
  // A rest is three times as long as the read, so each round takes 2 s.
  await storm(10_000);
  expect(reads).toBe(6);
  // The last change is not lost, and without changes nothing is read.
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(7);
  expect(client.getQueryData(queryKey)).toBe(7);
});

describe('a change during a read that is not repeated is not lost', () => {
  const queryKey = projectDevicesQuery('p_1').queryKey as unknown as readonly unknown[];

  function scene() {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const client = new QueryClient();
    let stored = 'before';
    const query = {
      queryKey,
      // What is read is decided when the read begins.
      queryFn: () => {
        const read = stored;
        return new Promise<string>((resolve) => void setTimeout(() => resolve(read), 500));
      },
      staleTime: Infinity,
    };
    const refresh = createThrottledRefresh(client);
    return {
      client,
      query,
      change() {
        stored = 'after';
        refresh.where((key) => isStaleAfter(key, here));
      },
    };
  }

  test('the first read of what is shown', async () => {
    const { client, query, change } = scene();
    onTestFinished(new QueryObserver(client, query).subscribe(() => {}));
    await vi.advanceTimersByTimeAsync(100);
    change();
    await vi.advanceTimersByTimeAsync(400);
    expect(client.getQueryData(queryKey)).toBe('before');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(client.getQueryData(queryKey)).toBe('after');
  });

  test('the read of a page that is shown afterwards', async () => {
    const { client, query, change } = scene();
    client.setQueryData(queryKey, 'earlier');
    void client.fetchQuery({ ...query, staleTime: 0 });
    await vi.advanceTimersByTimeAsync(100);
    change();
    await vi.advanceTimersByTimeAsync(400);
    onTestFinished(new QueryObserver(client, query).subscribe(() => {}));
    expect(client.getQueryData(queryKey)).toBe('before');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(client.getQueryData(queryKey)).toBe('after');
  });
});
