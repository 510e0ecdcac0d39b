import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeFrame } from '@corral/multiplex';
import { sampleFrame } from './frames.ts';
import { mutate } from './mutate.ts';
import { Random } from './Random.ts';
import { onTheWire, openRaw } from './raw-link.ts';

/** How a running hub is fuzzed. */
export interface LivePlan {
  /** `http://host:port`. */
  readonly url: string;
  /** Headers of accepted connections, used in turn because each caller may connect only so often. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly seed: number;
  /** Messages to send, malformed and well-formed. */
  readonly messages: number;
}

/** The result. */
export interface LiveResult {
  readonly messages: number;
  readonly connections: number;
  /** Connections that the hub kept open, since no message was a violation. */
  readonly kept: number;
}

const connectionsAtOnce = 16;
const maxMessages = 40;
/** A hub that neither answers nor ends the connection for this many seconds counts as hanging; time in which this process is paused is excluded. */
const answerTimeoutSecs = 30;
const retryMs = 100;
const ping = encodeFrame({ kind: 'Ping' });
const hello = encodeFrame({ kind: 'Hello', info: new Uint8Array(0) });
const pongOnTheWire = Buffer.from([0x82, 1, 0x21]);

/** Sends malformed messages over real sockets; rejected when the hub hangs, refuses connections, or crashes. */
export async function fuzzLive({ url, headers, seed, messages }: LivePlan): Promise<LiveResult> {
  const random = new Random(seed);
  const result = { messages: 0, connections: 0, kept: 0 };
  const worker = async (): Promise<void> => {
    while (result.messages < messages) {
      const sent = Array.from({ length: 1 + random.below(maxMessages) }, () => message(random));
      result.messages += sent.length;
      const own = headers[result.connections % headers.length] ?? {};
      result.connections += 1;
      if (await survives(await open(url, own), sent)) result.kept += 1;
    }
  };
  await Promise.all(Array.from({ length: connectionsAtOnce }, worker));
  return result;
}

/** Mostly mutated frames of the protocol; some messages break RFC 6455. */
function message(random: Random): Buffer {
  const frame = sampleFrame(random);
  if (random.oneIn(3)) return onTheWire(2, frame);
  if (random.oneIn(20)) return onTheWire(random.pick([1, 9, 10]), frame.subarray(0, 125));
  const malformed = mutate(frame, random, sampleFrame(random));
  if (random.oneIn(20)) return Buffer.from(mutate(onTheWire(2, malformed), random, malformed));
  return onTheWire(2, malformed);
}

async function open(url: string, headers: Readonly<Record<string, string>>): Promise<Socket> {
  for (;;) {
    const answer = await openRaw(url, headers);
    if (typeof answer !== 'string') return answer;
    // The hub admits a limited number of connections per second, and drops requests that are interrupted by a pause.
    if (!/^HTTP\/1\.1 (?:503|408) /.test(answer)) throw new Error(`not admitted: ${answer.slice(0, 300)}`);
    await delay(retryMs);
  }
}

/** True when the hub still answers after all messages, false when it has ended the connection. */
async function survives(socket: Socket, messages: readonly Buffer[]): Promise<boolean> {
  const answered = Promise.withResolvers<boolean>();
  let pongs = 0;
  socket.on('data', (bytes: Buffer) => {
    for (let at = bytes.indexOf(pongOnTheWire); at >= 0; at = bytes.indexOf(pongOnTheWire, at + 1))
      pongs += 1;
    if (pongs > 0) answered.resolve(true);
  });
  socket.once('close', () => answered.resolve(false));
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    if (seconds >= answerTimeoutSecs) answered.reject(new Error('the hub neither answers nor ends'));
  }, 1_000);
  socket.write(Buffer.concat([onTheWire(2, hello), ...messages, onTheWire(2, ping)]));
  // The hub would wait for the rest of a message that is shorter than announced, so the stream is ended.
  const ending = setTimeout(() => socket.end(), 250);
  try {
    return await answered.promise;
  } finally {
    clearInterval(timer);
    clearTimeout(ending);
    socket.destroy();
  }
}
