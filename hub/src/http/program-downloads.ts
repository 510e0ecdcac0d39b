import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/** A program that people and devices download as one file. */
export interface ProgramFile {
  /** The name of the file below `/download/`. */
  readonly fileName: string;
  /** The name of the program for people, with its article. */
  readonly name: string;
  /** The path of the built file. */
  readonly path: string;
}

interface BuiltFile {
  readonly writtenAtMs: number;
  readonly text: Buffer;
  readonly compressed: Buffer;
  readonly tag: string;
}

/** Serves a program as a single file; it is read again after a new build. */
export function addProgramDownload(server: FastifyInstance, { fileName, name, path }: ProgramFile): void {
  const notBuilt = `${name} has not been built here. \`npm start\` builds it.\n`;
  let known: BuiltFile | undefined;
  server.get(`/download/${fileName}`, async (request, reply) => {
    known = await newest(path, known);
    if (known === undefined) return reply.code(404).type('text/plain; charset=utf-8').send(notBuilt);
    reply.headers({ etag: known.tag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    if (request.headers['if-none-match'] === known.tag) return reply.code(304).send();
    reply.type('text/javascript; charset=utf-8');
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(known.text);
    return reply.header('content-encoding', 'gzip').send(known.compressed);
  });
}

async function newest(path: string, known: BuiltFile | undefined): Promise<BuiltFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.mtimeMs === known?.writtenAtMs)
    return found === undefined ? undefined : known;
  const text = await readFile(path);
  const tag = `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`;
  return { writtenAtMs: found.mtimeMs, text, compressed: await promisify(gzip)(text), tag };
}
