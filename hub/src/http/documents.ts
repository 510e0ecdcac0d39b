import { createHash } from 'node:crypto';
import { openApiDocument } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import sanitizeHtml from 'sanitize-html';
import type { HttpContext, PublicSettings } from './http-context.ts';
import { jsonMediaType } from './failures.ts';

/** `GET /api/config.json`, the public configuration for the console, and `GET /api/openapi.json`. */
export function addDocumentRoutes(server: FastifyInstance, context: HttpContext): void {
  let config: { readonly of: PublicSettings; readonly text: string } | undefined;
  server.get('/api/config.json', async (_request, reply) => {
    const settings = context.settings();
    if (config?.of !== settings)
      config = { of: settings, text: JSON.stringify(publicConfig(context, settings)) };
    reply.type(jsonMediaType);
    return config.text;
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

function publicConfig({ config, version }: HttpContext, settings: PublicSettings): object {
  const { banner, isRegistrationOpen, ...links } = settings;
  return {
    ...(banner === undefined ? {} : { banner: { text: bannerHtml(banner) } }),
    scripts: config.scripts,
    version,
    // Links without a value are left out.
    productUrl: links.productUrl,
    termsUrl: links.termsUrl,
    privacyUrl: links.privacyUrl,
    adminContact: links.adminContact,
    isInsecure: config.isInsecure,
    isRegistrationOpen,
  };
}

function bannerHtml({ text, isHtml }: NonNullable<PublicSettings['banner']>): string {
  return sanitizeBanner(isHtml ? text : asHtml(text));
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' };

/** Text as HTML that shows it as it was typed. */
function asHtml(text: string): string {
  return text.replace(/[&<>\n]/g, (character) => entities[character] ?? character);
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
