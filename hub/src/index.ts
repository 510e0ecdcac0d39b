export { loadConfig } from './config.ts';
export type { Config, ConfigSources } from './config.ts';
export { configReference as configurationPage } from './config/describe.ts';
export { startHub, version } from './hub.ts';
export type { RunningHub } from './hub.ts';
export { createLog } from './log.ts';
export type { Log } from './log.ts';
export { startPostgres } from './postgres/start-postgres.ts';
export type { PostgresOptions, RunningPostgres } from './postgres/start-postgres.ts';
