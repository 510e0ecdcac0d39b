import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { findOrBuildVersitygw, freePort } from '@corral/tools';
import { vi } from 'vitest';
import type { StoreSettings } from '../src/domains/assets/storage/s3/store-settings.ts';

/** An S3-compatible server. */
export interface S3Server {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Makes a bucket and describes the store in it. */
  bucket(): Promise<StoreSettings>;
}

let running: Promise<S3Server | undefined> | undefined;

/**
 * The server of this worker: the one that CORRAL_TEST_S3_URL, CORRAL_TEST_S3_ACCESS_KEY_ID and CORRAL_TEST_S3_SECRET_ACCESS_KEY name, or
 * versitygw. Skips the test where there is neither, unless CORRAL_TEST_S3 is `required`.
 */
export async function s3Server(context: { skip(note: string): never }): Promise<S3Server> {
  running ??= start();
  const server = await running;
  if (server !== undefined) return server;
  const sentence = 'Tests with a real S3 server need Go 1.25 or newer, or CORRAL_TEST_S3_URL and its keys.';
  if (process.env['CORRAL_TEST_S3'] === 'required') throw new Error(sentence);
  return context.skip(sentence);
}

async function start(): Promise<S3Server | undefined> {
  const endpoint = process.env['CORRAL_TEST_S3_URL'];
  if (endpoint === undefined) return startVersitygw();
  return described(endpoint, {
    accessKeyId: process.env['CORRAL_TEST_S3_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: process.env['CORRAL_TEST_S3_SECRET_ACCESS_KEY'] ?? '',
  });
}

/** Runs a program until the process that holds the other end of standard input is gone, however it ends, then removes the folder. */
const withThisProcess = '"$@" & cat >/dev/null; kill -9 $!; wait; rm -rf "$0"';

async function startVersitygw(): Promise<S3Server | undefined> {
  const program = findOrBuildVersitygw();
  if (program === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'corral-s3-'));
  const port = await freePort();
  const credentials = { accessKeyId: 'testing', secretAccessKey: randomBytes(16).toString('hex') };
  const args = [program, '--quiet', '--port', `127.0.0.1:${port}`, 'posix', folder];
  const child = spawn('sh', ['-c', withThisProcess, folder, ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      ROOT_ACCESS_KEY: credentials.accessKeyId,
      ROOT_SECRET_KEY: credentials.secretAccessKey,
    },
  });
  child.unref();
  (child.stdin as Socket).unref();
  await vi.waitFor(() => accepts(port), { interval: 50 });
  return described(`http://127.0.0.1:${port}`, credentials);
}

function described(
  endpoint: string,
  credentials: { accessKeyId: string; secretAccessKey: string },
): S3Server {
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  return {
    endpoint,
    ...credentials,
    async bucket() {
      const bucket = `corral-${randomBytes(6).toString('hex')}`;
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      return { endpoint, bucket, prefix: '', forcePathStyle: true, ...credentials };
    },
  };
}

async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}
