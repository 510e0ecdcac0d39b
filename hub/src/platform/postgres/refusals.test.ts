import { chmod, chown, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isRoot } from './account.ts';
import {
  clusterProcesses,
  query,
  recordingLog,
  withDatabase,
  withDataDir,
  withPostgres,
} from './fixtures/hub-under-test.ts';
import { PostgresStartError } from './PostgresStartError.ts';
import { startPostgres } from './start-postgres.ts';

test('refuses a database of another major version, and changes nothing in it', async () => {
  await withDataDir(async (dataDir) => {
    const cluster = join(dataDir, 'postgres', 'cluster');
    await mkdir(cluster, { recursive: true });
    await writeFile(join(cluster, 'PG_VERSION'), '9\n');
    await makeForeign(cluster);
    await refuses(
      dataDir,
      `CORRAL_DATA_DIR: the database in ${dataDir} was made by PostgreSQL 9, but this hub runs PostgreSQL`,
    );
    expect(await readdir(cluster)).toEqual(['PG_VERSION']);
  });
});

test('refuses a folder that holds other files', async () => {
  await withDataDir(async (dataDir) => {
    const cluster = join(dataDir, 'postgres', 'cluster');
    await mkdir(cluster, { recursive: true });
    await writeFile(join(cluster, 'notes.txt'), 'keep me');
    await makeForeign(cluster);
    await refuses(dataDir, `CORRAL_DATA_DIR: the folder ${cluster} holds no PostgreSQL database`);
    expect(await readFile(join(cluster, 'notes.txt'), 'utf8')).toBe('keep me');
  });
});

test('refuses a database whose password is lost', async () => {
  await withDatabase(async (dataDir) => {
    await rm(join(dataDir, 'postgres', 'password'));
    await refuses(dataDir, `CORRAL_DATA_DIR: the file ${join(dataDir, 'postgres', 'password')} is missing`);
    expect(await clusterProcesses(dataDir)).toEqual([]);
  });
});

test('refuses a data folder that is a file, or lies under one', async () => {
  await withDataDir(async (dataDir) => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    await refuses(file, `CORRAL_DATA_DIR: the folder ${file} cannot be used: there is a file of that name.`);
    const below = join(file, 'data');
    await refuses(
      below,
      `CORRAL_DATA_DIR: the folder ${below} cannot be used: a part of the path is not a folder.`,
    );
  });
});

test('refuses a place where no folder can be made', async () => {
  const place = '/proc/corral/data';
  await refuses(place, `CORRAL_DATA_DIR: the folder ${place} cannot be used: `);
});

test('refuses a data folder that PostgreSQL cannot use', async () => {
  await withDataDir(async (parent) => {
    await chmod(parent, isRoot() ? 0o700 : 0o500);
    const dataDir = join(parent, 'data');
    const { message } = await refuses(dataDir, 'CORRAL_DATA_DIR: ');
    await chmod(parent, 0o700);
    if (isRoot()) {
      expect(message).toMatch(/PostgreSQL runs as the user \w+, who cannot enter/);
      expect(message).toContain(`${parent}: choose a data folder that this user can reach`);
    } else {
      expect(message).toContain(
        `the folder ${dataDir} cannot be used: permission denied to the user ${userInfo().username}.`,
      );
    }
  });
});

test('refuses a database whose owner cannot run it', async () => {
  await withDataDir(async (dataDir) => {
    const cluster = join(dataDir, 'postgres', 'cluster');
    await mkdir(cluster, { recursive: true });
    // Only root can change owners, and PostgreSQL itself refuses only root.
    const reason = isRoot()
      ? `the folder ${cluster} belongs to root`
      : `the folder ${cluster} holds no PostgreSQL database`;
    await refuses(dataDir, `CORRAL_DATA_DIR: ${reason}`);
  });
});

test('a broken setting is reported in one sentence, and the folder is unlocked', async () => {
  await withDatabase(async (dataDir) => {
    const file = join(dataDir, 'postgres', 'cluster', 'postgresql.conf');
    const good = await readFile(file, 'utf8');
    await writeFile(file, `${good}\nwork_mem = 'plenty'\n`);
    await refuses(dataDir, 'PostgreSQL did not start: ');
    await writeFile(file, good);
    await withPostgres(dataDir, async ({ connection }) => {
      expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });
});

/** Starts, expects a failure with one sentence that begins like this, and returns the error. */
async function refuses(dataDir: string, beginning: string): Promise<PostgresStartError> {
  const failure = await startPostgres({ dataDir, log: recordingLog() }).then(
    () => expect.fail('It started.'),
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(PostgresStartError);
  const { message } = failure as PostgresStartError;
  expect(message.startsWith(beginning), message).toBe(true);
  expect(message).toMatch(/^[^\n]+\.$|\)\.$/);
  return failure as PostgresStartError;
}

/** Changes the owner of a cluster's folder from root to another account, as for a real one. */
async function makeForeign(cluster: string): Promise<void> {
  if (!isRoot()) return;
  await chown(cluster, 65534, 65534);
  await chmod(dirname(cluster), 0o755);
}
