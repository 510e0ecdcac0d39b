export { channelExecutor } from './channel-executor.ts';
export type { Executor } from './executor.ts';
export { errorOf, httpExecutor, reach } from './http-executor.ts';
export type { HttpExecutorOptions } from './http-executor.ts';
export { tableExecutor } from './table-executor.ts';
export type { AnswerTable } from './table-executor.ts';
