import type { IncomingMessage } from 'node:http';
import { bodyOf, type AnswerBody } from './answer-body.ts';
import { AnswerHeadReader, valuesOf, type AnswerHead } from './answer-head.ts';
import type { Awaited } from './answer-watch.ts';
import type { DeviceStream } from './device-stream.ts';
import type { FlatHeaders } from './headers.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import { passRequestBody, requestBodyOf } from './request-body.ts';

/** The head that answers a request, and how what follows it is read. */
export interface DeviceAnswer {
  readonly stream: DeviceStream;
  readonly head: AnswerHead;
  readonly body: AnswerBody;
  /** What came right behind the head. */
  readonly behind: Buffer;
}

/** One request as a device is asked it. */
export interface Question {
  readonly request: IncomingMessage;
  /** The path as the device gets it. */
  readonly path: string;
  readonly headers: FlatHeaders;
  readonly isUpgrade: boolean;
  /** Whether the stream is to serve others afterwards. */
  readonly isKept: boolean;
  readonly answerWithinMs: number;
}

const maxInformation = 5;

/**
 * Writes one request to a device, its head rebuilt and its body as it comes, and reads the head of the answer. Rejected with a
 * ProxyFailure, and the stream is cut then. The stream belongs to this one request until it is answered.
 */
export async function askDevice(stream: DeviceStream, question: Question): Promise<DeviceAnswer> {
  try {
    if (stream.hasStirred) throw new ProxyFailure('broken');
    const head = headOf(question);
    stream.begin();
    stream.watch.begin(awaitedOf(stream, question));
    void stream.write(head);
    if (!question.isUpgrade) passRequestBody(question.request, stream);
    return await readAnswer(stream, question);
  } catch (error) {
    const failure = error instanceof ProxyFailure ? error : new ProxyFailure('broken');
    stream.cut(failure);
    throw failure;
  } finally {
    stream.watch.end();
  }
}

/** An answer that does not come, or a body that stops coming. */
function awaitedOf(stream: DeviceStream, { request, answerWithinMs }: Question): Awaited {
  return {
    dueAtMs: () => stream.lastSentAtMs + answerWithinMs,
    onLate: () => new ProxyFailure(!request.complete && !stream.hasUnsent ? 'stalledRequest' : 'silent'),
  };
}

async function readAnswer(stream: DeviceStream, { request, isUpgrade }: Question): Promise<DeviceAnswer> {
  let reader = new AnswerHeadReader();
  let informationCount = 0;
  let piece: Buffer = await nextPiece(stream);
  for (;;) {
    const at = reader.take(piece);
    const behind = at < 0 ? undefined : piece.subarray(at);
    if (reader.head === undefined || behind === undefined) piece = await nextPiece(stream);
    else if (isFinal(reader.head, isUpgrade))
      return { stream, head: reader.head, body: bodyOf(reader.head, request.method ?? ''), behind };
    else {
      informationCount += 1;
      if (informationCount > maxInformation) throw new ProxyFailure('garbled');
      reader = new AnswerHeadReader();
      piece = behind.length > 0 ? behind : await nextPiece(stream);
    }
  }
}

/** An agent of the first generation takes a channel to a port that nobody listens on, and ends it without a byte. */
async function nextPiece(stream: DeviceStream): Promise<Buffer> {
  const { heardBytes } = stream;
  const piece = await stream.read();
  if (piece === null) throw new ProxyFailure(heardBytes === 0 ? 'refused' : 'broken');
  return piece;
}

function isFinal({ status }: AnswerHead, isUpgrade: boolean): boolean {
  if (status === 101 && !isUpgrade) throw new ProxyFailure('garbled');
  return status === 101 || status >= 200;
}

const notInValues = /[^\t\x20-\x7e\x80-\xff]/;
const notInTargets = /[^\x21-\x7e\x80-\xff]/;

/** The head of the request, as bytes. Throws a ProxyFailure for what Node's parser should never have let in. */
function headOf(question: Question): Buffer {
  const { request, path, headers, isUpgrade, isKept } = question;
  if (notInTargets.test(path)) throw new ProxyFailure('malformed');
  let text = `${request.method} ${path} HTTP/1.1\r\n`;
  for (let index = 0; index < headers.length; index += 2) {
    const value = headers[index + 1] ?? '';
    if (notInValues.test(value)) throw new ProxyFailure('malformed');
    text += `${headers[index]}: ${value}\r\n`;
  }
  if (isUpgrade) text += 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  else text += `Connection: ${isKept ? 'keep-alive' : 'close'}\r\n${requestBodyOf(request).header}\r\n`;
  return Buffer.from(text, 'latin1');
}

/** Whether the device lets the next request follow on the same stream. */
export function mayGoOn({ head, body }: DeviceAnswer): boolean {
  if (head.isHttp10 || body.endsWithStream) return false;
  const connection = valuesOf(head, 'connection');
  return connection.length === 0 || !/\bclose\b/i.test(connection.join());
}
