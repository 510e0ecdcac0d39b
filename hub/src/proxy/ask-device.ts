import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ChannelDuplex } from './channel-duplex.ts';
import { faultOf, type FlatHeaders } from './headers.ts';
import { ProxyFailure } from './ProxyFailure.ts';

/** A head that answers a request: an ordinary one, or that of a connection which was upgraded, with what came right behind it. */
export type DeviceAnswer =
  | { readonly kind: 'response'; readonly message: IncomingMessage }
  | { readonly kind: 'upgrade'; readonly message: IncomingMessage; readonly first: Buffer };

interface Question {
  readonly request: IncomingMessage;
  /** The path as the device gets it. */
  readonly path: string;
  readonly headers: FlatHeaders;
  readonly isUpgrade: boolean;
  /** Whether the stream is to serve others afterwards. */
  readonly isKept: boolean;
  readonly answerWithinMs: number;
  readonly nowMs: () => number;
}

const maxAnswerHeadBytes = 16_384;
const maxInformation = 5;

/**
 * Writes one request to a device, its head rebuilt and its body as it comes, and reads the head of the answer with Node's own strict
 * parser. Rejected with a ProxyFailure. The stream belongs to this one request until it is answered.
 */
export function askDevice(stream: ChannelDuplex, question: Question): Promise<DeviceAnswer> {
  return new Promise((resolve, reject) => {
    stream.begin();
    const heardBytes = stream.receivedBytes;
    const outgoing = writeHead(stream, question);
    const watch = watchProgress(stream, question, (failure) => fail(failure));
    let isSettled = false;
    let informationCount = 0;
    const settle = (answer: DeviceAnswer): void => {
      isSettled = true;
      watch.stop();
      resolve(answer);
    };
    const fail = (failure: ProxyFailure): void => {
      watch.stop();
      if (isSettled) return;
      reject(failure);
      stream.destroy();
    };
    outgoing.on('information', () => {
      informationCount += 1;
      if (informationCount > maxInformation) fail(new ProxyFailure('garbled'));
    });
    outgoing.on('response', (message) => {
      if (question.isUpgrade && message.statusCode === 101) return fail(new ProxyFailure('garbled'));
      if (faultOf(message) !== undefined) return fail(new ProxyFailure('garbled'));
      settle({ kind: 'response', message });
    });
    if (question.isUpgrade)
      outgoing.on('upgrade', (message, _socket, first: Buffer) =>
        settle({ kind: 'upgrade', message, first }),
      );
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      fail(failureOf(error, stream.receivedBytes === heardBytes)),
    );
    // A switch of protocols that nobody asked for ends without an error.
    outgoing.on('close', () => fail(new ProxyFailure('garbled')));
    if (question.isUpgrade) outgoing.end();
    // A device that has answered early reads no more; what the client still sends then goes nowhere.
    else question.request.pipe(outgoing);
  });
}

/** Hands each request the stream that was chosen for it; what becomes of the stream afterwards is told by its `free`. */
class ChosenStream extends Agent {
  addRequest(outgoing: ClientRequest, { chosen }: { chosen: ChannelDuplex }): void {
    outgoing.onSocket(chosen as unknown as Socket);
  }
}
const keeping = new ChosenStream({ keepAlive: true });

function writeHead(stream: ChannelDuplex, question: Question): ClientRequest {
  const { request, path, headers, isKept } = question;
  return httpRequest({
    ...(isKept ? { agent: keeping, chosen: stream } : { createConnection: () => stream }),
    method: request.method ?? 'GET',
    path,
    headers: [...headers, ...framing(question)] as unknown as Record<string, string>,
    setHost: false,
    maxHeaderSize: maxAnswerHeadBytes,
    insecureHTTPParser: false,
  });
}

/** How the body is delimited is said anew, by what Node has made of the request. */
function framing({ request: { headers }, isUpgrade, isKept }: Question): FlatHeaders {
  if (isUpgrade) return ['Connection', 'Upgrade', 'Upgrade', 'websocket'];
  const connection = ['Connection', isKept ? 'keep-alive' : 'close'];
  if (headers['transfer-encoding'] !== undefined) return [...connection, 'Transfer-Encoding', 'chunked'];
  const length = headers['content-length'];
  return length === undefined ? connection : [...connection, 'Content-Length', length];
}

interface Watch {
  stop(): void;
}

/** Notices an answer that does not come, and a body that stops coming. */
function watchProgress(
  stream: ChannelDuplex,
  { request, answerWithinMs, nowMs }: Question,
  fail: (failure: ProxyFailure) => void,
): Watch {
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const restMs = stream.lastSentAtMs + answerWithinMs - nowMs();
    if (restMs > 0) return void (timer = setTimeout(look, restMs));
    const isClientLate = !request.complete && stream.writableLength === 0;
    fail(new ProxyFailure(isClientLate ? 'stalledRequest' : 'silent'));
  };
  timer = setTimeout(look, answerWithinMs);
  return { stop: () => clearTimeout(timer) };
}

/** An agent of the first generation takes a channel to a port that nobody listens on, and ends it without a byte. */
function failureOf({ code = '' }: NodeJS.ErrnoException, isMute: boolean): ProxyFailure {
  if (code.startsWith('HPE_')) return new ProxyFailure('garbled');
  return new ProxyFailure(code === 'ECONNRESET' && isMute ? 'refused' : 'broken');
}
