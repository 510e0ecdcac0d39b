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
  /** Open when a hub on their way stopped, and reset by that. */
  readonly broken: number;
  readonly longestMs: number;
  /** The connection that was open all the time. */
  readonly long: LongResult;
}

/** `corral forward` and an agent, both connected through nginx, with a new connection of a program ten times a second. */
export interface SteadyForward {
  stop(): Promise<ForwardResult>;
}

/** What one connection met that sent all the time and got everything back. */
export interface LongResult {
  /** Whether it was still open at the end, with every byte back in order. */
  readonly hasSurvived: boolean;
  /** The longest time without a byte. */
  readonly longestPauseMs: number;
}

const everyMs = 100;
const answerWithinMs = 20_000;
const longEveryMs = 5;

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
  const long = startLongConnection(port);
  const ended = new AbortController();
  const running = connectAgain(port, result, ended.signal);
  return {
    async stop() {
      ended.abort();
      await running;
      const longResult = long.stop();
      await cli.stop();
      await agent.stop();
      echo.close();
      return { ...result, refused: result.failed - result.broken, long: longResult };
    },
  };
}

/** Sends numbers, each when the one before has come back. */
function startLongConnection(port: number): { stop(): LongResult } {
  const socket = connect(port, '127.0.0.1');
  let [sent, isWhole, lastAtMs, longestPauseMs] = [0, true, performance.now(), 0];
  let unread = Buffer.alloc(0);
  const send = (): void => {
    const number = Buffer.alloc(8);
    number.writeDoubleBE((sent += 1));
    socket.write(number);
  };
  const pauseUntilNow = (): number => performance.now() - lastAtMs;
  socket.on('error', () => (isWhole = false)).on('close', () => (isWhole = false));
  socket.on('data', (bytes) => {
    longestPauseMs = Math.max(longestPauseMs, pauseUntilNow());
    lastAtMs = performance.now();
    unread = Buffer.concat([unread, bytes]);
    if (unread.length < 8) return;
    if (unread.length > 8 || unread.readDoubleBE() !== sent) isWhole = false;
    unread = Buffer.alloc(0);
    setTimeout(send, longEveryMs);
  });
  send();
  return {
    stop() {
      const result = { hasSurvived: isWhole, longestPauseMs: Math.max(longestPauseMs, pauseUntilNow()) };
      socket.destroy();
      return result;
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
