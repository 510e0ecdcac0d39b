export { startAbuser } from './abuser.ts';
export type { Abuser } from './abuser.ts';
export { abuses } from './abuses.ts';
export type { AbuseName } from './abuses.ts';
export { httpAbuses, startHttpAbuser } from './http-abuses.ts';
export type { HttpAbuseName, HttpCredentials } from './http-abuses.ts';
export { fuzzLive } from './live.ts';
export type { LivePlan, LiveResult } from './live.ts';
