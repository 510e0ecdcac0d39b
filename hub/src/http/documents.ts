import { createHash } from 'node:crypto';
import { openApiDocument } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import sanitizeHtml from 'sanitize-html';
import type { Door } from './door.ts';
import { jsonMediaType } from './failures.ts';

/** `GET /api/config.json`, what the console must know before anybody has signed in, and `GET /api/openapi.json`. */
export function addDocumentRoutes(server: FastifyInstance, door: Door): void {
  const config = JSON.stringify(publicConfig(door));
  server.get('/api/config.json', async (_request, reply) => {
    reply.type(jsonMediaType);
    return config;
  });

  let openApi: { readonly text: string; readonly tag: string } | undefined;
  server.get('/api/openapi.json', async (request, reply) => {
    openApi ??= tagged(JSON.stringify(openApiDocument(door.version)));
    reply.header('cache-control', 'no-cache').header('etag', openApi.tag);
    if (request.headers['if-none-match'] === openApi.tag) return reply.code(304).send();
    reply.type(jsonMediaType);
    return openApi.text;
  });
}

function tagged(text: string): { text: string; tag: string } {
  return { text, tag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

function publicConfig({ config, version }: Door): object {
  return {
    ...(config.banner === undefined ? {} : { banner: { text: sanitizeBanner(config.banner) } }),
    scripts: config.scripts,
    version,
    ...(config.productUrl === undefined ? {} : { productUrl: config.productUrl }),
    ...(config.termsUrl === undefined ? {} : { termsUrl: config.termsUrl }),
    ...(config.privacyUrl === undefined ? {} : { privacyUrl: config.privacyUrl }),
    ...(config.adminContact === undefined ? {} : { adminContact: config.adminContact }),
    isInsecure: config.isInsecure,
    isRegistrationOpen: config.registration === 'open',
  };
}

/** Leaves of the operator's HTML what a banner needs, and nothing that runs, loads or frames. */
export function sanitizeBanner(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: ['a', 'b', 'i', 'em', 'strong', 'br', 'p', 'span', 'code'],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }) },
  });
}
