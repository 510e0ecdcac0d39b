import { rm } from 'node:fs/promises';
import { newMemoryFolder } from './memory-folder.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The schema that the migrations make in an empty database, as SQL. */
export async function schemaText(): Promise<string> {
  const { connectDatabase, describeSchema, migrate, startPostgres } = await import('@corral/hub');
  const dataDir = await newMemoryFolder();
  try {
    const server = await startPostgres({ dataDir, log: silent, searchPath: process.env['PATH'] ?? '' });
    const db = connectDatabase(server.connection, { maxConnections: 1, onIdleError() {} });
    try {
      await migrate(db);
      return await describeSchema(db);
    } finally {
      await db.destroy();
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
