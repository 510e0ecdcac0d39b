import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { database, role } from './initialize-cluster.ts';
import { findSocketFolder } from './socket-folder.ts';
import type { PostgresConnection } from './start-postgres.ts';

/** The connection to the embedded PostgreSQL of a data folder, if a hub runs it; the socket may be that of a killed one. */
export async function findRunningServer(dataDir: string): Promise<PostgresConnection | undefined> {
  const root = join(resolve(dataDir), 'postgres');
  const host = await findSocketFolder(root);
  const password = await readFile(join(root, 'password'), 'utf8').catch(() => undefined);
  if (host === undefined || password === undefined) return undefined;
  return { host, port: 5432, user: role, password: password.trim(), database };
}
