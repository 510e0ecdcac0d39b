import { Readable } from 'node:stream';
import { ActionError, ids } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import { firstDigest } from '../../auth/recording-chain.ts';
import type { RecordingGrant } from '../../auth/recording-url.ts';
import type { Executor } from '../../calls/executor.ts';
import { systemCaller } from '../../calls/handler.ts';
import { CheckRecordingUrl } from '../../domains/terminals/internal/CheckRecordingUrl.ts';
import { ReadRecordingPart } from '../../domains/terminals/internal/ReadRecordingPart.ts';
import type { HttpContext } from './identity.ts';

const mediaType = 'application/x-asciicast';
const broken = 'This recording was changed after it was made: from here on it is not shown';

/** `GET /api/v1/recordings/{sessionId}.cast`: a recording of a terminal, by a URL that devices_IssueRecordingUrl has issued. */
export function addRecordings(server: FastifyInstance, { executor }: HttpContext): void {
  server.get<{ Params: { file: string } }>('/api/v1/recordings/:file', async (request, reply) => {
    const { file } = request.params;
    const query = new URL(request.url, 'http://hub').searchParams;
    const sessionId = ids.terminal.schema.safeParse(file.replace(/\.cast$/, ''));
    const grant = sessionId.success
      ? await executor.run(systemCaller, CheckRecordingUrl, { sessionId: sessionId.data, query })
      : undefined;
    if (grant === undefined)
      throw new ActionError('Forbidden', 'This link to a recording is not valid, or has expired.');
    const parts = partsOf(executor, grant);
    const first = await parts.next();
    reply.type(mediaType).header('content-disposition', `attachment; filename="${grant.sessionId}.cast"`);
    return reply.send(Readable.from(after(first, parts), { objectMode: false }));
  });
}

async function* after(
  first: IteratorResult<Buffer, void>,
  rest: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/** The parts, in order; one that is not as it was recorded is a mark, and the last. */
async function* partsOf(executor: Executor, grant: RecordingGrant): AsyncGenerator<Buffer, void> {
  let before: Buffer = firstDigest;
  let lastSecs = '0';
  for (let number = 0; ; number += 1) {
    const part = await executor.run(systemCaller, ReadRecordingPart, { grant, number, before });
    if (!part.isIntact) yield Buffer.from(`[${lastSecs},"m",${JSON.stringify(broken)}]\n`);
    if (part.bytes === undefined) return;
    yield part.bytes;
    before = part.digest;
    lastSecs = lastTimeIn(part.bytes) ?? lastSecs;
  }
}

function lastTimeIn(part: Buffer): string | undefined {
  const last = part.subarray(part.lastIndexOf('\n', -2) + 1, part.length).toString('latin1', 0, 40);
  return /^\[([\d.]+),/.exec(last)?.[1];
}
