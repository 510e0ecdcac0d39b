import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { valueTypes, type DatabaseAddress } from './connect.ts';
import type { Tables } from './tables.ts';

/** One connection, for work that takes as long as it takes: no statement of it is cut short by the server. */
export interface SingleConnection {
  /** For COPY, which moves rows as bytes. */
  readonly client: pg.Client;
  /** The same connection; its transactions are those of `client`. */
  readonly db: Kysely<Tables>;
  close(): Promise<void>;
}

/** Texts of values must not depend on the settings of a server or role, since another one reads them. */
const settings = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '3',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** Opens one connection. */
export async function openSingleConnection(address: DatabaseAddress): Promise<SingleConnection> {
  const client = new pg.Client({
    ...('url' in address ? { connectionString: address.url } : address),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: valueTypes,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  // A connection that breaks rejects its query and also emits `error`, which without a listener would end the process.
  client.on('error', () => undefined);
  await client.connect();
  const pooled = Object.assign(client, { release() {} });
  const pool = { connect: async () => pooled, end: async () => undefined, options: {} };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) });
  return {
    client,
    db,
    async close() {
      await db.destroy();
      await client.end();
    },
  };
}
