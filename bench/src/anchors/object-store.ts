import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { findOrBuildVersitygw, freePort } from '@corral/tools';
import { sleep, startExecutable } from '../processes.ts';

const credentials = { id: 'bench', secret: 'gate-latch-and-rail' };

/** An S3-compatible store on the local disk with one bucket. */
export interface ObjectStore {
  /** The settings of a hub that keeps its assets there. */
  readonly env: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts versitygw. Rejects where it cannot be built. */
export async function objectStore(): Promise<ObjectStore> {
  const program = findOrBuildVersitygw();
  if (program === undefined) throw new Error('This section needs Go 1.25 or newer, to build versitygw.');
  const folder = await mkdtemp(join(tmpdir(), 'corral-store-'));
  await mkdir(join(folder, 'assets'));
  const port = await freePort();
  const args = ['--quiet', '--port', `127.0.0.1:${port}`, 'posix', folder];
  const running = startExecutable(program, args, {
    ROOT_ACCESS_KEY: credentials.id,
    ROOT_SECRET_KEY: credentials.secret,
  });
  while (!(await accepts(port))) await sleep(50);
  return {
    env: {
      CORRAL_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      CORRAL_S3_BUCKET: 'assets',
      CORRAL_S3_ACCESS_KEY_ID: credentials.id,
      CORRAL_S3_SECRET_ACCESS_KEY: credentials.secret,
    },
    async stop() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
