import { setImmediate as nextTurn } from 'node:timers/promises';
import { openApiSteps } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import type { HttpContext, PublicSettings } from './http-context.ts';
import { jsonMediaType } from './failures.ts';
import { prepareDocument, type PreparedDocument } from './prepared-document.ts';

/** `GET /api/config.json`, the public configuration for the console, and `GET /api/openapi.json`. */
export function addDocumentRoutes(server: FastifyInstance, context: HttpContext): void {
  let config: { readonly of: PublicSettings; readonly text: string } | undefined;
  server.get('/api/config.json', async (_request, reply) => {
    const settings = context.settings();
    if (config?.of !== settings)
      config = { of: settings, text: JSON.stringify(await publicConfig(context, settings)) };
    reply.type(jsonMediaType);
    return config.text;
  });

  let openApi: Promise<PreparedDocument> | undefined;
  server.get('/api/openapi.json', async (request, reply) => {
    const { headers } = request;
    const { etag, encodedFor } = await (openApi ??= openApiOf(context.version));
    reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding' });
    if (headers['if-none-match'] === etag) return reply.code(304).send();
    const { bytes, encoding } = encodedFor(headers['accept-encoding']);
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    return reply.type(jsonMediaType).send(bytes);
  });
}

async function openApiOf(version: string): Promise<PreparedDocument> {
  const steps = openApiSteps(version);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return prepareDocument(JSON.stringify(value));
    await nextTurn();
  }
}

async function publicConfig({ config, version }: HttpContext, settings: PublicSettings): Promise<object> {
  const { banner, isRegistrationOpen, isMailConfigured, ...links } = settings;
  return {
    ...(banner === undefined ? {} : { banner: { text: await bannerHtml(banner) } }),
    scripts: config.scripts,
    version,
    // Links without a value are left out.
    productUrl: links.productUrl,
    termsUrl: links.termsUrl,
    privacyUrl: links.privacyUrl,
    adminContact: links.adminContact,
    isInsecure: config.isInsecure,
    isRegistrationOpen,
    // Without a mail server the console says that it has to be set, or that a link has to be passed on.
    isMailConfigured,
  };
}

function bannerHtml({ text, isHtml }: NonNullable<PublicSettings['banner']>): Promise<string> {
  return sanitizeBanner(isHtml ? text : asHtml(text));
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' };

/** Text as HTML that shows it as it was typed. */
function asHtml(text: string): string {
  return text.replace(/[&<>\n]/g, (character) => entities[character] ?? character);
}

/**
 * Sanitizes the operator's HTML: text formatting and links only; no scripts, no external resources, no frames. The library is loaded
 * with the first banner: most hubs have none.
 */
export async function sanitizeBanner(html: string): Promise<string> {
  const { default: sanitizeHtml } = await import('sanitize-html');
  return sanitizeHtml(html, {
    allowedTags: ['a', 'b', 'i', 'em', 'strong', 'br', 'p', 'span', 'code'],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }) },
  });
}
