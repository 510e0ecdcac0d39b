/** Where the supervisor says what it does; a pino logger behind a small adapter, for instance. */
export interface PostgresLog {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}
