import type { IncomingMessage, ServerResponse } from 'node:http';
import { letGo } from '@corral/multiplex';
import type { AnswerBody } from './answer-body.ts';
import type { DeviceAnswer } from './ask-device.ts';
import type { ProxyCookie } from './cookie.ts';
import { headersForBrowser } from './headers.ts';
import { ProxyFailure } from './ProxyFailure.ts';

interface Back {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly cookie: ProxyCookie;
  /** Whether browsers are to come over HTTPS alone from now on. */
  readonly isStrict: boolean;
  /** How long the browser may take nothing of what waits for it. */
  readonly stalledForMs: number;
}

/**
 * Passes a device's answer on: its head rebuilt, its body as it comes and no faster than the browser takes it. An answer that breaks off
 * breaks off for the browser too. Fulfilled with whether the device has sent the answer, all of it, and nothing behind it. Rejected with
 * a ProxyFailure when nothing was passed on yet.
 */
export async function passBack(answer: DeviceAnswer, back: Back): Promise<boolean> {
  const { request, response, cookie, isStrict, stalledForMs } = back;
  const headers = headersForBrowser(answer.head, cookie);
  if (isStrict) headers.push('Strict-Transport-Security', 'max-age=31536000');
  if (!request.complete) headers.push('Connection', 'close');
  // What has come already goes out together with the head.
  const pieces: Buffer[] = [];
  const end = answer.body.take(answer.behind, 0, (data) => pieces.push(data));
  if (response.destroyed) return false;
  try {
    response.writeHead(answer.head.status, headers);
  } catch {
    throw new ProxyFailure('garbled');
  }
  if (answer.body.isDone) {
    sendWhole(response, pieces, stalledForMs);
    return end === answer.behind.length;
  }
  cutWhenStalled(response, stalledForMs);
  try {
    return await passBody(answer, response, pieces);
  } catch {
    // What was passed on goes out first.
    process.nextTick(() => response.destroy());
    return false;
  }
}

const maxTextBytes = 8_192;

function sendWhole(response: ServerResponse, pieces: readonly Buffer[], stalledForMs: number): void {
  const body = pieces.length > 1 ? Buffer.concat(pieces) : pieces[0];
  // As a text of bytes it goes out together with the head, in one write and without a copy of its own.
  if (body !== undefined && body.length <= maxTextBytes) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
  // Nearly always the network takes it at once, and nobody needs to be watched.
  if (waitingBytes(response) > 0) cutWhenStalled(response, stalledForMs);
}

/** The first byte may be long in coming, and the head tells a browser what to do meanwhile. */
async function passBody(
  { stream, body, behind }: DeviceAnswer,
  response: ServerResponse,
  pieces: readonly Buffer[],
): Promise<boolean> {
  if (pieces.length === 0) response.flushHeaders();
  for (const piece of pieces) response.write(piece);
  let end = behind.length;
  let piece: Buffer | null = behind;
  while (!body.isDone) {
    if (response.writableNeedDrain) await drained(response);
    piece = await stream.read();
    if (piece === null) break;
    end = passPiece(piece, body, response);
  }
  if (piece === null && !body.endsWithStream) throw new ProxyFailure('broken');
  response.end();
  return piece !== null && end === piece.length;
}

/** Passes on what of a piece belongs to the body, lets go of the piece once that is out, and tells where in it the body ended. */
function passPiece(piece: Buffer, body: AnswerBody, response: ServerResponse): number {
  let usedTimes = 1;
  const onOut = (): void => {
    usedTimes -= 1;
    if (usedTimes === 0) letGo(piece);
  };
  const end = body.take(piece, 0, (data) => {
    usedTimes += 1;
    response.write(data, onOut);
  });
  onOut();
  return end;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

const waitingBytes = (response: ServerResponse): number =>
  response.writableLength + (response.socket?.writableLength ?? 0);

function cutWhenStalled(response: ServerResponse, stalledForMs: number): void {
  response.setTimeout(stalledForMs, () => {
    if (waitingBytes(response) > 0) response.destroy();
    // Nothing waits: a stream of events may rest as long as it likes.
    else response.socket?.setTimeout(stalledForMs);
  });
}
