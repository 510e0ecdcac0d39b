const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** How often a query asks again while it shows, and for how long its answer counts as fresh; in milliseconds. */
export interface QueryTimes {
  readonly refetchInterval?: number;
  readonly staleTime: number;
}

/** User, sessions, tokens, statistics and events. */
export const everyMinute: QueryTimes = { refetchInterval: minuteMs, staleTime: 30 * secondMs };
/** The devices of a project, and the details of projects and repositories. */
export const everyTwoMinutes: QueryTimes = { refetchInterval: 2 * minuteMs, staleTime: 30 * secondMs };
/** The cluster, and lists that seldom change. */
export const everyFiveMinutes: QueryTimes = { refetchInterval: 5 * minuteMs, staleTime: 30 * secondMs };
/** Read once, looked at again when somebody asks and five minutes have passed. */
export const freshForFiveMinutes: QueryTimes = { staleTime: 5 * minuteMs };
