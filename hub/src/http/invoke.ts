import { defaultMaxInputBytes, maxInputBytesOf } from '@corral/contract';
import type { IncomingMessage } from 'node:http';
import { finished, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Answer } from '../limits/untaken-answers.ts';
import { encodeJson } from '../executor/json-writer.ts';
import { callerKeys } from '../limits/caller.ts';
import { placesOf } from '../limits/limit.ts';
import { limits } from '../limits/table.ts';
import { countingRefusals } from './counting-refusals.ts';
import { callerOf, identify, type HttpContext } from './http-context.ts';
import { jsonMediaType } from './failures.ts';
import { anonymousBodyBytes, readJson } from './read-json.ts';
import { anonymous } from './sessions.ts';

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
