const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** How often a mounted query polls, and how long its answer counts as fresh; in milliseconds. */
export interface QueryTimes {
  readonly refetchInterval?: number;
  readonly staleTime: number;
}

/** For users, sessions, tokens, statistics and events. */
export const everyMinute: QueryTimes = { refetchInterval: minuteMs, staleTime: 30 * secondMs };
/** For the devices of a project, and the details of projects and repositories. */
export const everyTwoMinutes: QueryTimes = { refetchInterval: 2 * minuteMs, staleTime: 30 * secondMs };
/** For the cluster, and lists that rarely change. */
export const everyFiveMinutes: QueryTimes = { refetchInterval: 5 * minuteMs, staleTime: 30 * secondMs };
/** No polling: read again on use when five minutes have passed. */
export const freshForFiveMinutes: QueryTimes = { staleTime: 5 * minuteMs };
