import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { findOrInstallNatsServer, freePort } from '@corral/tools';
import { vi } from 'vitest';
import type { NatsAddress } from '../src/platform/events/nats-link.ts';

/** A real NATS on a port of loopback, which a test stops and starts again. */
export interface NatsServer extends AsyncDisposable {
  readonly port: number;
  readonly address: NatsAddress;
  start(): Promise<void>;
  /** Kills it; its connections end at once. */
  stop(): Promise<void>;
}

/** Runs a program until the process that holds the other end of standard input is gone, however it ends. */
const withThisProcess = '"$0" "$@" & cat >/dev/null; kill -9 $!; wait';

const program = findOrInstallNatsServer();
if (program === undefined && process.env['CORRAL_TEST_NATS'] === 'required')
  throw new Error('Tests of several nodes need nats-server (Debian: apt-get install nats-server).');

/** Whether this machine has a NATS; where CORRAL_TEST_NATS is `required`, it must. */
export const hasNatsServer = program !== undefined;

/** Leaves a test out where there is no NATS. */
export function needNats(skip: (isWithout: boolean, note: string) => void): void {
  skip(!hasNatsServer, 'nats-server is missing (Debian: apt-get install nats-server).');
}

/** Starts a server with further arguments. */
export async function natsServer(args: readonly string[] = []): Promise<NatsServer> {
  if (program === undefined) throw new Error('This machine has no nats-server.');
  const port = await freePort();
  let child: ChildProcess | undefined;
  const server: NatsServer = {
    port,
    address: { servers: [`127.0.0.1:${port}`], isEncrypted: false },
    async start() {
      const all = [program, '-a', '127.0.0.1', '-p', `${port}`, ...args];
      child = spawn('sh', ['-c', withThisProcess, ...all], { stdio: ['pipe', 'ignore', 'ignore'] });
      await vi.waitFor(() => accepts(port), { timeout: 30_000, interval: 20 });
    },
    async stop() {
      if (child === undefined || child.exitCode !== null) return;
      const closed = once(child, 'close');
      child.stdin?.end();
      await closed;
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
  await server.start();
  return server;
}

async function accepts(port: number): Promise<void> {
  const socket: Socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
