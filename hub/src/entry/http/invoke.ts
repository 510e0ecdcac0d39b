import type { IncomingMessage } from 'node:http';
import { finished, Readable } from 'node:stream';
import { ActionError, defaultMaxInputBytes, maxInputBytesOf } from '@corral/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isFaultOfCaller } from '../../calls/failures.ts';
import { encodeJson, JsonReader } from '../../calls/json.ts';
import type { Answer } from '../../calls/turns.ts';
import { callerKeys, placesOf } from '../../limits/limit.ts';
import { limits } from '../../limits/table.ts';
import { anonymous, callerOf, type HttpContext, identify } from './identity.ts';
import { jsonMediaType, notJson } from './responses.ts';

/**
 * `POST /api/v1/actions/invoke/{name}`: the body is the input, the answer the bare output. For sessions, a header says where the live view stood
 * before the action.
 */
export function addInvokeRoute(
  server: FastifyInstance,
  context: HttpContext,
  liveCursor: () => string,
): void {
  const largeInputs = placesOf(limits.largeInputs);
  server.post<{ Params: { name: string } }>('/api/v1/actions/invoke/:name', async (request, reply) => {
    const { name } = request.params;
    const identity = await identify(context, request.raw);
    const isAnonymous = identity === anonymous;
    const maxBytes = isAnonymous ? anonymousBodyBytes : maxInputBytesOf(name);
    const caller = callerOf(context, identity, request.raw);
    // Before the action reads anything, so that the live view misses nothing that the answer does not show.
    if (identity.sessionId !== undefined) reply.header('x-corral-live-cursor', liveCursor());
    const invoke = async () => {
      const input = await readJson(request.raw, { maxBytes, isAnonymous });
      const answer = await context.untakenAnswers.begin(callerKeys(caller), name);
      finished(reply.raw, () => answer.end());
      const portions = await encodeJson(await context.executor.execute(caller, name, input));
      return { answer, portions };
    };
    const answered = mayBeLarge(request.raw, maxBytes)
      ? largeInputs.run(callerKeys(caller), invoke)
      : invoke();
    const { answer, portions } = await countingRefusals(context, request.raw, identity.userId, answered);
    return sendPortions(reply, portions, answer);
  });
}

function mayBeLarge({ headers }: IncomingMessage, maxBytes: number): boolean {
  const isChunked = headers['transfer-encoding'] !== undefined;
  const sizeBytes = isChunked ? maxBytes : Number(headers['content-length'] ?? 0);
  return Math.min(sizeBytes, maxBytes) > defaultMaxInputBytes;
}

/** Sends a large answer in portions, as fast as the client reads them. Sent portions leave the array, since a kept-alive connection keeps its last answer in memory. */
function sendPortions(reply: FastifyReply, portions: Buffer[], answer: Answer): FastifyReply {
  const sizeBytes = portions.reduce((size, { length }) => size + length, 0);
  answer.sending(sizeBytes, () => reply.raw.destroy());
  reply.type(jsonMediaType);
  if (portions.length === 1) return reply.send(portions[0]);
  reply.header('content-length', String(sizeBytes));
  return reply.send(Readable.from(taken(portions), { objectMode: false }));
}

function* taken(portions: Buffer[]): Generator<Buffer> {
  for (let next = portions.shift(); next !== undefined; next = portions.shift()) yield next;
}

/** Counts a call that fails by the fault of its caller against the user of the request. Anonymous requests are paced by their address instead. */
export async function countingRefusals<Answer>(
  { countRefusal }: Pick<HttpContext, 'countRefusal'>,
  request: IncomingMessage,
  userId: string | undefined,
  answer: Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (isFaultOfCaller(error) && userId !== undefined) countRefusal(request, userId);
    throw error;
  }
}

/** How large the body of a request without a session or token may be, in bytes, whatever it asks for. */
export const anonymousBodyBytes = 64 * 1024;
/** A refused body is still received up to this size, so that the caller can read the response. */
const drainedBytes = { anonymous: 512 * 1024, signedIn: 16 * 1024 * 1024 } as const;

/** How fast: what a refused caller still sends would take the time of others. */
const drainedBytesPerMs = 4_096;

const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;

/** Throws an `ActionError` unless the Content-Type of the request is JSON. */
export function mustBeJson(request: IncomingMessage): void {
  if (jsonType.test(request.headers['content-type'] ?? '')) return;
  throw notJson();
}

/** How a body is read. */
interface BodyLimits {
  /** How large it may be, in bytes. */
  readonly maxBytes: number;
  /** Whether the caller is not authenticated. */
  readonly isAnonymous: boolean;
}

/** Reads the JSON body of a request. Throws an `ActionError` of kind TooLarge or Invalid. */
export async function readJson(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  mustBeJson(request);
  if (request.headers['content-encoding'] !== undefined)
    throw new ActionError('Invalid', 'Send the body without a Content-Encoding.');
  const reader = new JsonReader('body', limits.maxBytes);
  await receive(request, reader, limits.isAnonymous ? drainedBytes.anonymous : drainedBytes.signedIn);
  return reader.end();
}

/** Receives nothing for a time. */
function restFrom(request: IncomingMessage, ms: number): void {
  request.pause();
  setTimeout(() => request.resume(), ms);
}

/** Hands the body to the reader, which bounds what it keeps. A body beyond `drainBytes` is not received to its end. */
function receive(request: IncomingMessage, reader: JsonReader, drainBytes: number): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > drainBytes) {
    reader.refuseSize();
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    let sizeBytes = 0;
    const onCut = (): void => reject(new ActionError('Invalid', 'The body ended early.'));
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      reader.push(chunk);
      if (sizeBytes > drainBytes) resolve();
      else if (reader.isRefused) restFrom(request, chunk.length / drainedBytesPerMs);
    });
    request.on('end', () => {
      request.off('close', onCut);
      resolve();
    });
    // A client that leaves in the middle of its body is no fault of the hub.
    request.on('error', onCut);
    request.on('close', onCut);
  });
}
