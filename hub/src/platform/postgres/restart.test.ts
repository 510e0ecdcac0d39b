import { execFileSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  clusterProcesses,
  copyDatabase,
  query,
  recordingLog,
  withDatabase,
  withDataDir,
  withPostgres,
} from './fixtures/hub-under-test.ts';
import { startPostgres } from './start-postgres.ts';

test('keeps the data and the password across a restart', async () => {
  await withDatabase(async (dataDir) => {
    const first = await withPostgres(dataDir, async ({ connection }) => {
      await query(connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
      return connection;
    });
    expect(await clusterProcesses(dataDir)).toEqual([]);
    await withPostgres(dataDir, async ({ connection }) => {
      expect(connection).toEqual(first);
      expect(await query(connection, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    });
  });
});

test('restarts a server that was killed, and reports it', async () => {
  await withDatabase(async (dataDir) => {
    const events = new EventEmitter();
    const postgres = await startPostgres({
      dataDir,
      log: recordingLog(),
      onExit: (exit) => events.emit('exit', exit),
      onRestart: (pid) => events.emit('restart', pid),
    });
    for (const restarts of [0, 1]) {
      const exited = once(events, 'exit');
      const restarted = once(events, 'restart');
      process.kill(postgres.pid!, 'SIGKILL');
      expect(await exited).toEqual([{ status: 137, restarts }]);
      expect(await restarted).toEqual([postgres.pid]);
      expect(await query(postgres.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect(postgres.restarts).toBe(restarts + 1);
    }
    await postgres.stop();
    expect(await clusterProcesses(dataDir)).toEqual([]);
  });
});

test('replaces the server when its guard process is killed, and never runs two servers', async () => {
  await withDatabase(async (dataDir) => {
    const events = new EventEmitter();
    const postgres = await startPostgres({
      dataDir,
      log: recordingLog(),
      onRestart: () => events.emit('restart'),
    });
    const former = postgres.pid!;
    const restarted = once(events, 'restart');
    const guard = execFileSync('ps', ['-o', 'ppid=', '-p', `${former}`], { encoding: 'utf8' });
    process.kill(Number(guard), 'SIGKILL');
    await restarted;
    const live = await clusterProcesses(dataDir);
    expect(live).toContain(postgres.pid);
    expect(live).not.toContain(former);
    expect(await query(postgres.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.stop();
  });
});

test('stops while the server is down, and can be stopped twice', async () => {
  await withDatabase(async (dataDir) => {
    const postgres = await startPostgres({ dataDir, log: recordingLog() });
    process.kill(postgres.pid!, 'SIGKILL');
    await postgres.stop();
    await postgres.stop();
    expect(await clusterProcesses(dataDir)).toEqual([]);
    await withPostgres(dataDir, async ({ connection }) => {
      expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });
});

test('starts when the process ids in the lock files of a killed server were reused', async () => {
  await withDatabase(async (dataDir) => {
    await withPostgres(dataDir, async () => {});
    const root = join(dataDir, 'postgres');
    const stale = `${process.pid}\n${join(root, 'cluster')}\n1700000000\n5432\n${join(root, 'run')}\n\n  1 1\nready   \n`;
    await writeFile(join(root, 'cluster', 'postmaster.pid'), stale, { mode: 0o600 });
    await writeFile(join(root, 'run', '.s.PGSQL.5432.lock'), stale, { mode: 0o600 });
    await withPostgres(dataDir, async ({ connection, pid }) => {
      expect(pid).not.toBe(process.pid);
      expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });
});

test('starts when a server was killed before it wrote its lock file', async () => {
  await withDatabase(async (dataDir) => {
    await withPostgres(dataDir, async () => {});
    await writeFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), '', { mode: 0o600 });
    await withPostgres(dataDir, async ({ connection }) => {
      expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });
});

test('works under a path that is too long for a socket, and through a symbolic link', async () => {
  await withDataDir(async (parent) => {
    const long = join(parent, 'a-very-long-folder-name'.repeat(4), 'data');
    await copyDatabase(long);
    const connection = await withPostgres(long, async (postgres) => {
      expect(await query(postgres.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await expect(startPostgres({ dataDir: long, log: recordingLog() })).rejects.toThrow(
        'in use by another running hub',
      );
      return postgres.connection;
    });
    expect(connection.host.startsWith(parent)).toBe(false);
    expect(existsSync(connection.host)).toBe(false);
    await symlink(long, join(parent, 'link'));
    await withPostgres(join(parent, 'link'), async (postgres) => {
      expect(await query(postgres.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });
});
