import { createHash } from 'node:crypto';
import { openApiDocument } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import sanitizeHtml from 'sanitize-html';
import type { HttpContext } from './http-context.ts';
import { jsonMediaType } from './failures.ts';

/** `GET /api/config.json`, the public configuration for the console, and `GET /api/openapi.json`. */
export function addDocumentRoutes(server: FastifyInstance, context: HttpContext): void {
  const config = JSON.stringify(publicConfig(context));
  server.get('/api/config.json', async (_request, reply) => {
    reply.type(jsonMediaType);
    return config;
  });

  let openApi: { readonly text: string; readonly tag: string } | undefined;
  server.get('/api/openapi.json', async (request, reply) => {
    openApi ??= tagged(JSON.stringify(openApiDocument(context.version)));
    reply.header('cache-control', 'no-cache').header('etag', openApi.tag);
    if (request.headers['if-none-match'] === openApi.tag) return reply.code(304).send();
    reply.type(jsonMediaType);
    return openApi.text;
  });
}

function tagged(text: string): { text: string; tag: string } {
  return { text, tag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

function publicConfig({ config, version }: HttpContext): object {
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

/** Sanitizes the operator's HTML: text formatting and links only; no scripts, no external resources, no frames. */
export function sanitizeBanner(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: ['a', 'b', 'i', 'em', 'strong', 'br', 'p', 'span', 'code'],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }) },
  });
}
