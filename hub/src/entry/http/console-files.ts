import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ActionError, connectPath } from '@corral/contract';
import { fastifyCompress } from '@fastify/compress';
import { fastifyStatic } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../platform/log/log.ts';
import type { SessionCookie } from './identity.ts';
import { sendFailure } from './responses.ts';

const notBuilt = 'The console has not been built here. The API is described at /api/openapi.json.\n';

/** Serves the built console: hashed files are cached for a year, every path outside the API gets its page. */
export async function addConsole(
  server: FastifyInstance,
  folder: string,
  cookie: SessionCookie,
  log: Log,
): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'));
  const preload = preloadHeaders(folder, cookie);
  const sendPage: SendPage = (request, reply) => reply.headers(preload(request)).sendFile('index.html');
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
        preCompressed: true,
        setHeaders: (reply, path) => {
          reply.header('cache-control', cachingOf(relative(folder, path)));
          // Error pages on the hosts of devices use the fonts.
          if (path.endsWith('.woff2')) reply.header('access-control-allow-origin', '*');
        },
      });
      scope.get('/', sendPage);
    });
  }
  server.setNotFoundHandler((request, reply) =>
    answerUnknown(request, reply, isBuilt ? sendPage : undefined, log),
  );
}

/** The path of the font of texts in the built console; undefined before it is built. */
export function findConsoleFont(folder: string): string | undefined {
  const assets = join(folder, 'assets');
  const file = existsSync(assets)
    ? readdirSync(assets).find((name) => /^atkinson-hyperlegible-next-.*\.woff2$/u.test(name))
    : undefined;
  return file && `/assets/${file}`;
}

type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * Returns the Link header that preloads the modules of the first screen, so that the browser does not wait for earlier code. The cookie
 * decides whether the visitor is probably signed in; a wrong guess only costs bytes.
 */
function preloadHeaders(
  folder: string,
  cookie: SessionCookie,
): (request: FastifyRequest) => Record<string, string> {
  const file = join(folder, 'screens.json');
  if (!existsSync(file)) return () => ({});
  const screens = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly string[]>>;
  const linkTo = (screen: string): Record<string, string> => ({
    link: (screens[screen] ?? []).map((path) => `<${path}>; rel=modulepreload`).join(', '),
  });
  const [signIn, signedIn] = [linkTo('sign-in'), linkTo('signed-in')];
  return ({ headers }) => (cookie.read(headers.cookie) === undefined ? signIn : signedIn);
}

/** File names in assets/ contain a content hash; the page refers to them, so it is never cached. */
function cachingOf(path: string): string {
  if (path.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return path === 'index.html' ? 'no-store' : 'no-cache';
}

function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  sendPage: SendPage | undefined,
  log: Log,
): void {
  if (request.url.split('?')[0] === connectPath) return answerWithoutUpgrade(reply);
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
  else if (sendPage !== undefined) sendPage(request, reply);
  else reply.code(503).send(notBuilt);
}

/** Programs ask with an Upgrade header here, which proxies drop that know nothing of WebSockets. */
function answerWithoutUpgrade(reply: FastifyReply): void {
  const message =
    'The request arrived without its Upgrade header: a proxy between this program and the hub drops it. Let it pass WebSockets on.';
  reply.code(426).headers({ upgrade: 'websocket', connection: 'upgrade, close' });
  reply.type('application/json').send(JSON.stringify({ kind: 'Invalid', message }));
}
