import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { clusterQuery, configQuery, userQuery, userSessionsQuery } from './data/queries-account.ts';
import { statisticsQuery } from './features/admin/dashboard/statistics.ts';
import { userTokensQuery } from './parts/user-tokens/token-data.ts';
import { deviceEventsQuery } from './features/devices/queries.ts';
import { deploymentTokensQuery, projectDevicesQuery } from './data/queries-projects.ts';
import {
  projectRepositoriesQuery,
  repositoryPackagesQuery,
  repositoryQuery,
  userRepositoriesQuery,
} from './data/queries-repositories.ts';
import { repositoryAssetsQuery } from './features/assets/queries.ts';
import { packageVersionsQuery } from './features/packages/queries.ts';
import { createConsoleRouter, type RouterContext } from './router.tsx';
import { formatDuration } from './ui/time/format-duration.ts';

it('"Router defaults: pending indicator after 1000 ms, minimum pending display 500 ms, preload delay 50 ms, cache retention 5 minutes, preload stale time 30 s."', () => {
  const context = { queryClient: new QueryClient() } as unknown as RouterContext;
  const router = createConsoleRouter(context);
  expect(router.options).toMatchObject({
    defaultPendingMs: 1_000,
    defaultPendingMinMs: 500,
    defaultPreloadDelay: 50,
    defaultGcTime: 300_000,
    defaultPreloadStaleTime: 30_000,
  });
  const withOthers = Object.values(router.routesById).filter(
    ({ options }) => options.pendingMs !== undefined || options.pendingMinMs !== undefined,
  );
  // Its splash screen has no minimum time: see docs/decisions/0078-budgets-of-the-console.md.
  expect(withOthers.map(({ id }) => id)).toEqual(['/_guard']);
});

it('"Refresh: user, sessions, tokens, stats, events every 1 minute (stale after 30 s)"', () => {
  const queries = [
    userQuery('u_1'),
    userSessionsQuery('u_1'),
    userTokensQuery('u_1'),
    deploymentTokensQuery('p_1'),
    deviceEventsQuery('d_1'),
    statisticsQuery(),
  ];
  for (const query of queries) expect(query).toMatchObject({ refetchInterval: 60_000, staleTime: 30_000 });
});

it('"config stale after 5 minutes"', () => {
  expect(configQuery.staleTime).toBe(300_000);
});

it('"project devices every 2 minutes (120000 ms)"', () => {
  expect(projectDevicesQuery('p_1').refetchInterval).toBe(120_000);
});

it('"repository details every 2 minutes; cluster, repository lists and package lists every 5 minutes"', () => {
  expect(repositoryQuery('repo_1').refetchInterval).toBe(120_000);
  const lists = [
    clusterQuery(),
    userRepositoriesQuery('u_1'),
    projectRepositoriesQuery('p_1'),
    repositoryPackagesQuery('repo_1', 500),
    packageVersionsQuery('pkg_1', 500),
    repositoryAssetsQuery('repo_1', 500),
  ];
  for (const query of lists) expect(query.refetchInterval).toBe(300_000);
});

it('"Durations under 120 seconds shown in seconds, otherwise days, hours and minutes."', () => {
  expect(formatDuration(119)).toMatch(/^119\s?s/);
  expect(formatDuration(120)).toMatch(/^2\s?m/);
  expect(formatDuration(90_061)).toMatch(/^1\s?d.*1\s?h.*1\s?m/);
});
