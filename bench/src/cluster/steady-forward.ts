import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newDeviceToken, startBenchAgent } from '../bench-agent.ts';
import { startProgram } from '../processes.ts';
import type { ClusterTestbed } from './cluster-testbed.ts';

/** What programs met that connected to the local port of a forward again and again. */
export interface ForwardResult {
  readonly served: number;
  /** Refused, or not served within 20 s. */
  readonly refused: number;
  /** Open when a hub on their way stopped: what they had sent cannot be sent again. */
  readonly broken: number;
  readonly longestMs: number;
}

/** `corral forward` and an agent, both connected through nginx, with a new connection of a program ten times a second. */
export interface SteadyForward {
  stop(): Promise<ForwardResult>;
}

const everyMs = 100;
const answerWithinMs = 20_000;

/** Starts both, and the programs once the first is served. */
export async function startSteadyForward(bed: ClusterTestbed): Promise<SteadyForward> {
  const echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  const { port: devicePort } = echo.address() as AddressInfo;
  const agent = await startBenchAgent(bed.url, await newDeviceToken(bed.user), join(bed.folder, 'agent'));
  const env = { CORRAL_URL: bed.url, CORRAL_TOKEN: bed.user.token };
  const cli = startProgram(
    'cli/bin/corral.cjs',
    ['--json', 'forward', agent.deviceId, `0:${devicePort}`],
    env,
  );
  const port = Number(await cli.waitForLine(/"listening","localPort":(\d+)/));
  const result = { served: 0, failed: 0, broken: 0, longestMs: 0 };
  cli.onLine((line) => void (result.broken += Number(line.includes(' broke off: '))));
  const ended = new AbortController();
  const running = connectAgain(port, result, ended.signal);
  return {
    async stop() {
      ended.abort();
      await running;
      await cli.stop();
      await agent.stop();
      echo.close();
      return { ...result, refused: result.failed - result.broken };
    },
  };
}

interface Counts {
  served: number;
  failed: number;
  longestMs: number;
}

async function connectAgain(port: number, result: Counts, until: AbortSignal): Promise<void> {
  const open = new Set<Promise<void>>();
  while (!until.aborted) {
    const one = serve(port, result).finally(() => open.delete(one));
    open.add(one);
    await pause(everyMs);
  }
  await Promise.all(open);
}

async function serve(port: number, result: Counts): Promise<void> {
  const begunAtMs = performance.now();
  const socket = connect(port, '127.0.0.1');
  const answered = await new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true)).once('close', () => resolve(false));
    socket.on('error', () => undefined).setTimeout(answerWithinMs, () => socket.destroy());
    socket.write('there?');
  });
  socket.destroy();
  if (answered) result.served += 1;
  else result.failed += 1;
  result.longestMs = Math.max(result.longestMs, performance.now() - begunAtMs);
}
