import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fastifyCompress } from '@fastify/compress';
import { fastifyStatic } from '@fastify/static';
import { ActionError } from '@corral/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from './failures.ts';
import type { Log } from '../log.ts';

const notBuilt = 'The console has not been built here. The API is described at /api/openapi.json.\n';

/** Serves the built console: hashed files for a year, its page for every address that is none of the API. */
export async function addConsole(server: FastifyInstance, folder: string, log: Log): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'));
  if (isBuilt) {
    await server.register(async (scope) => {
      await scope.register(fastifyCompress, { global: true, encodings: ['br', 'gzip'], threshold: 1024 });
      await scope.register(fastifyStatic, {
        root: folder,
        decorateReply: true,
        cacheControl: false,
        dotfiles: 'ignore',
        index: false,
        wildcard: true,
        setHeaders: (reply, path) => void reply.header('cache-control', cachingOf(relative(folder, path))),
      });
      scope.get('/', (_request, reply) => sendPage(reply));
    });
  }
  server.setNotFoundHandler((request, reply) => answerUnknown(request, reply, isBuilt, log));
}

/** Names in assets/ carry a hash of what they hold; the page itself names them and must always be the newest. */
function cachingOf(path: string): string {
  if (path.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return path === 'index.html' ? 'no-store' : 'no-cache';
}

function sendPage(reply: FastifyReply): FastifyReply {
  return reply.sendFile('index.html');
}

function answerUnknown(request: FastifyRequest, reply: FastifyReply, isBuilt: boolean, log: Log): void {
  if (request.url.startsWith('/api/') || request.url === '/api')
    return sendFailure(
      log,
      new ActionError('UnknownAction', 'There is nothing at this address.'),
      request,
      reply,
    );
  const isNavigation = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
  reply.type('text/plain; charset=utf-8');
  if (!isNavigation || request.url.startsWith('/assets/')) reply.code(404).send('Not Found\n');
  else if (isBuilt) sendPage(reply);
  else reply.code(503).send(notBuilt);
}
