export { fuzzLive } from './live.ts';
export type { LivePlan, LiveResult } from './live.ts';
