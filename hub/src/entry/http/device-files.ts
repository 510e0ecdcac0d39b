import type { IncomingMessage } from 'node:http';
import { ActionError, fileCommands, filePartBytes, type Id, ids, type Json } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { FileGrant } from '../../auth/file-url.ts';
import { systemCaller } from '../../calls/handler.ts';
import { CheckFileUrl } from '../../domains/terminals/internal/CheckFileUrl.ts';
import { NoteFileTransfer } from '../../domains/terminals/internal/NoteFileTransfer.ts';
import { maxKeys, RecentKeys } from '../../limits/bucket.ts';
import { placesOf } from '../../limits/limit.ts';
import { limits } from '../../limits/table.ts';
import type { HttpContext } from './identity.ts';
import { jsonMediaType } from './responses.ts';

/** Runs a command on a device that offers it; `onLog` gets the lines that it writes to its standard error, and `left` ends it. Rejected with an ActionError for one that failed. */
export type RunOnDevice = (
  deviceId: Id<'device'>,
  invocation: { readonly command: string; readonly input: Json; readonly timeoutSecs: number },
  onLog: (line: string) => void,
  left: AbortSignal,
) => Promise<Json | undefined>;

/** Runs a command on the device of a grant. */
type RunForGrant = (
  invocation: Parameters<RunOnDevice>[1],
  onLog: (line: string) => void,
) => ReturnType<RunOnDevice>;

/** The device may have to read the whole file for its digest. */
const timeoutSecs = 600;
const maxPart = 999_999;

/**
 * `GET` and `PUT /api/v1/files/{deviceId}`: a file of a device, by a URL that devices_IssueFileUrl has issued, in parts of a MiB. Without `part` the answer is the size and the digest of a file to
 * fetch, or how many parts the device has of a file to put; with it, it is the part, or the body is. Returns what names the runner of the commands.
 */
export function addDeviceFiles(
  server: FastifyInstance,
  { executor }: Pick<HttpContext, 'executor'>,
): (run: RunOnDevice) => void {
  let run: RunOnDevice | undefined;
  const places = placesOf(limits.largeInputs);
  /** The signatures of URLs of which a transfer is recorded. */
  const noted = new RecentKeys<true>(maxKeys);
  server.route({
    method: ['GET', 'PUT'],
    url: '/api/v1/files/:deviceId',
    async handler({ raw }, reply) {
      const left = new AbortController();
      // A put goes on, and is recorded.
      if (raw.method !== 'PUT') reply.raw.once('close', () => left.abort());
      const query = new URL(raw.url ?? '', 'http://hub').searchParams;
      const grant = await executor.run(systemCaller, CheckFileUrl, { query });
      if (grant === undefined || (grant.access === 'Write') !== (raw.method === 'PUT'))
        throw new ActionError(
          'Forbidden',
          'This link to a file has expired, or you may not use it any more. Ask for another one.',
        );
      const running = run;
      if (running === undefined) throw new ActionError('NotReady', 'The hub is starting.');
      const part = partIn(query);
      const runForGrant: RunForGrant = (...call) => running(grant.deviceId, ...call, left.signal);
      const answer = await places.run({ caller: ids.user.of(grant.holder.userId) }, () =>
        grant.access === 'Read' ? read(runForGrant, grant, part) : write(runForGrant, grant, part, raw),
      );
      await note(answer, grant, query);
      if (Buffer.isBuffer(answer)) return reply.type('application/octet-stream').send(answer);
      return reply.type(jsonMediaType).send(JSON.stringify(answer));
    },
  });

  return (given) => void (run = given);

  /** Before the first byte of a file leaves, whether its size and digest were asked for or not, and after the last one of a file is there. */
  async function note(answer: Buffer | Said, grant: FileGrant, query: URLSearchParams): Promise<void> {
    const key = Buffer.from(query.get('signature') ?? '', 'base64url').toString('base64url');
    const isPart = Buffer.isBuffer(answer);
    if (isPart ? noted.peek(key) : 'isDone' in answer && !answer.isDone) return;
    const { sizeBytes = null, digest = null } = 'digest' in answer ? answer : grant;
    await executor.run(systemCaller, NoteFileTransfer, { grant, sizeBytes, digest });
    noted.set(key, true);
  }
}

/** What a device says of a file to fetch, and of one to put. */
const head = z.object({ sizeBytes: z.int().min(0), digest: z.string().regex(/^sha256_[0-9a-f]{64}$/) });
const progress = z.object({ parts: z.int().min(0), isDone: z.boolean() });
type Said = z.infer<typeof head> | z.infer<typeof progress>;

function partIn(query: URLSearchParams): number | undefined {
  const text = query.get('part');
  if (text === null) return undefined;
  const part = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (part <= maxPart) return part;
  throw new ActionError('Invalid', `A part is a number from 0 to ${maxPart}.`);
}

async function read(run: RunForGrant, { path }: FileGrant, part: number | undefined): Promise<Buffer | Said> {
  const input = { path, ...(part === undefined ? {} : { part }) };
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  const answer = await run({ command: fileCommands.Read, input, timeoutSecs }, (line) => {
    const piece = Buffer.from(line, 'base64');
    sizeBytes += piece.length;
    if (piece.length > 0 && sizeBytes <= filePartBytes) pieces.push(piece);
  });
  if (part === undefined) return checked(head, answer);
  if (sizeBytes > filePartBytes) throw noResult();
  return Buffer.concat(pieces);
}

async function write(
  run: RunForGrant,
  { path, sizeBytes = 0, digest = '' }: FileGrant,
  part: number | undefined,
  request: IncomingMessage,
): Promise<Said> {
  const data = part === undefined ? {} : { part, data: (await bodyOf(request)).toString('base64') };
  const input = { path, size: sizeBytes, digest, ...data };
  const answer = await run({ command: fileCommands.Write, input, timeoutSecs }, () => undefined);
  return checked(progress, answer);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > filePartBytes) throw new ActionError('TooLarge', 'A part of a file has at most 1 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function checked<Value>(schema: z.ZodType<Value>, answer: Json | undefined): Value {
  const { success, data } = schema.safeParse(answer);
  if (success) return data;
  throw noResult();
}

const noResult = () => new ActionError('Invalid', 'The device sent something that is no result.');
