import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { openApiSteps } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import { passkeySite } from '../../config/passkey-site.ts';
import type { HttpContext, PublicSettings } from './identity.ts';
import { jsonMediaType } from './responses.ts';

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

async function publicConfig(
  { config, version, publicOrigin }: HttpContext,
  settings: PublicSettings,
): Promise<object> {
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
    providerName: links.providerName,
    ...(links.prefersProvider ? { prefersProvider: true } : {}),
    isInsecure: config.isInsecure,
    // The only origin whose pages use passkeys; left out where none can.
    passkeyOrigin: passkeySite(publicOrigin(), config.hostNames)?.origin,
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

/** A document in every encoding that it is sent in, with its entity tag. */
interface PreparedDocument {
  readonly etag: string;
  /** The bytes and their Content-Encoding, for the Accept-Encoding of a request. */
  encodedFor(accepted: string | undefined): {
    readonly bytes: Buffer;
    readonly encoding: 'br' | 'gzip' | undefined;
  };
}

/** Good compression in 10 ms for half a megabyte; it runs on another thread. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** Encodes and compresses a document once, so that each answer costs no more than its bytes. */
async function prepareDocument(text: string): Promise<PreparedDocument> {
  const plain = Buffer.from(text);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, quality),
    promisify(gzip)(plain),
  ]);
  return {
    etag: `"${createHash('sha256').update(plain).digest('base64url')}"`,
    encodedFor(accepted = '') {
      if (accepts(accepted, 'br')) return { bytes: br, encoding: 'br' };
      return accepts(accepted, 'gzip')
        ? { bytes: gzipped, encoding: 'gzip' }
        : { bytes: plain, encoding: undefined };
    },
  };
}

/** Whether an Accept-Encoding names an encoding, and not with the weight 0. */
function accepts(accepted: string, encoding: string): boolean {
  return new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))|,|$)`, 'i').test(
    accepted,
  );
}

/** A program that people and devices download as one file. */
interface ProgramFile {
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
