import { Readable } from 'node:stream';
import { ActionError, type Actor, type Id, ids } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import { firstDigest } from '../../auth/recording-chain.ts';
import type { Executor } from '../../calls/executor.ts';
import { systemCaller } from '../../calls/handler.ts';
import { CheckRecordingUrl } from '../../domains/terminals/internal/CheckRecordingUrl.ts';
import { ReadRecordingPart } from '../../domains/terminals/internal/ReadRecordingPart.ts';
import { Asciicast } from '../terminal/moments.ts';
import { holderOf } from '../terminal/TerminalHost.ts';
import { type HttpContext, identify as identifyRequest, identifyReader } from './identity.ts';

const mediaType = 'application/x-asciicast';

/** `GET /api/v1/recordings/{sessionId}.cast`: a recording of a terminal, by a URL that devices_IssueRecordingUrl has issued to the same session or token. */
export function addRecordings(server: FastifyInstance, context: HttpContext): void {
  const { executor } = context;
  server.get<{ Params: { file: string } }>('/api/v1/recordings/:file', async (request, reply) => {
    const identify = request.headers.authorization === undefined ? identifyReader : identifyRequest;
    const identity = await identify(context, request.raw);
    const sessionId = ids.terminal.schema.safeParse(request.params.file.replace(/\.cast$/, ''));
    const reader = holderOf(identity);
    if (!sessionId.success || reader === undefined) throw invalid();
    const query = new URL(request.url, 'http://hub').searchParams;
    const grant = { sessionId: sessionId.data, reader, expiresAtSecs: Number(query.get('expires')) };
    const signature = query.get('signature') ?? '';
    if (!(await executor.run(systemCaller, CheckRecordingUrl, { grant, signature }))) throw invalid();
    const parts = partsOf(executor, { sessionId: sessionId.data, reader: identity.actor });
    const first = await parts.next();
    reply.type(mediaType).header('content-disposition', `attachment; filename="${sessionId.data}.cast"`);
    return reply.send(Readable.from(after(first, parts), { objectMode: false }));
  });
}

const invalid = (): ActionError =>
  new ActionError(
    'Forbidden',
    'This link to a recording is not valid, has expired, or is of another session.',
  );

async function* after(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/** The lines of the parts, in order; one that is not as it was recorded is a mark, and the last. */
async function* partsOf(
  executor: Executor,
  of: { readonly sessionId: Id<'terminal'>; readonly reader: Actor },
): AsyncGenerator<string, void> {
  let before: Buffer = firstDigest;
  let asciicast: Asciicast | undefined;
  for (let number = 0; ; number += 1) {
    const part = await executor.run(systemCaller, ReadRecordingPart, { ...of, number, before });
    asciicast ??= new Asciicast(part.startedAt);
    const lines = part.bytes === undefined ? asciicast.end(part.isIntact) : asciicast.linesOf(part.bytes);
    if (lines !== '') yield lines;
    if (part.bytes === undefined) return;
    before = part.digest;
  }
}
