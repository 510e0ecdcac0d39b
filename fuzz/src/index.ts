export { startAbuser } from './abuser.ts';
export type { Abuser } from './abuser.ts';
export { abuses } from './abuses.ts';
export type { AbuseName } from './abuses.ts';
export { doorAbuses, startDoorAbuser } from './door-abuses.ts';
export type { DoorAbuseName, DoorCredentials } from './door-abuses.ts';
export { fuzzLive } from './live.ts';
export type { LivePlan, LiveResult } from './live.ts';
