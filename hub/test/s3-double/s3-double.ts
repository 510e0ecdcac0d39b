import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { StoreSettings } from '../../src/domains/assets/storage/s3/store-settings.ts';
import {
  checksumOf,
  errorXml,
  etagOf,
  etagsIn,
  listingXml,
  partsXml,
  sortedParts,
  uploadsXml,
  type PartUpload,
  type StoredObject,
} from './objects.ts';
import { enforcing, type Profile } from './profile.ts';
import { signatureFault } from './signature.ts';

export type { Profile };

/** A store that does what S3 documents, or what its profile says, and checks every signature. */
export interface S3Double extends AsyncDisposable {
  readonly settings: StoreSettings;
  readonly profile: Profile;
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, PartUpload>;
  /** The requests so far: method, path and status. */
  readonly requests: string[];
}

/** Starts a double on a free port of loopback, with one bucket. */
export async function s3Double(changes: Partial<Profile> = {}, bucket = 'assets'): Promise<S3Double> {
  const profile = { ...enforcing, ...changes };
  const credentials = { accessKeyId: 'AKIDDOUBLE', secretAccessKey: randomBytes(20).toString('base64') };
  const state: State = { profile, bucket, credentials, objects: new Map(), uploads: new Map() };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    response.on('finish', () => requests.push(`${request.method} ${request.url} ${response.statusCode}`));
    void answer(state, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      prefix: '',
      forcePathStyle: !profile.isVirtualHost,
      ...credentials,
    },
    profile,
    objects: state.objects,
    uploads: state.uploads,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface State {
  readonly profile: Profile;
  readonly bucket: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, PartUpload>;
}

interface Call {
  readonly state: State;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly now: Date;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const now = new Date(Date.now() + state.profile.clockAheadMs);
  response.setHeader('date', now.toUTCString());
  try {
    await dispatch(callOf(state, request, response, now));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    response.writeHead(error.status, { 'content-type': 'application/xml', connection: 'close' });
    response.end(request.method === 'HEAD' ? undefined : errorXml(error.code));
  }
}

function callOf(state: State, request: IncomingMessage, response: ServerResponse, now: Date): Call {
  const { method = '', url = '' } = request;
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const fault = signatureFault({ method, target: url, headers }, state.credentials, now);
  if (fault !== undefined) throw new Refusal(fault.status, fault.code);
  if (state.profile.failures > 0) {
    state.profile.failures -= 1;
    throw new Refusal(503, 'SlowDown');
  }
  if (state.profile.refuses) throw new Refusal(403, 'AccessDenied');
  const parsed = new URL(url, 'http://double');
  return {
    state,
    request,
    response,
    headers,
    key: keyOf(state, parsed.pathname, headers),
    query: parsed.searchParams,
    now,
  };
}

function keyOf({ bucket, profile }: State, path: string, headers: Readonly<Record<string, string>>): string {
  const whole = decodeURIComponent(path.slice(1));
  if (profile.isVirtualHost) {
    if (headers['host']?.startsWith(`${bucket}.`) !== true) throw new Refusal(404, 'NoSuchBucket');
    return whole;
  }
  if (whole !== bucket && !whole.startsWith(`${bucket}/`)) throw new Refusal(404, 'NoSuchBucket');
  return whole.slice(bucket.length + 1);
}

function dispatch(call: Call): Promise<void> | void {
  const { request, query, key } = call;
  const isUpload = query.has('uploadId');
  if (request.method === 'GET' && isUpload) return listParts(call);
  if (request.method === 'GET' && query.has('uploads'))
    return answerXml(call, uploadsXml(call.state.uploads));
  if (request.method === 'GET' && key === '') return list(call);
  if (request.method === 'PUT') return isUpload ? putPart(call) : putObject(call);
  if (request.method === 'POST') return isUpload ? completeUpload(call) : createUpload(call);
  if (request.method === 'DELETE') return isUpload ? abortUpload(call) : deleteObject(call);
  return getObject(call);
}

async function putObject(call: Call): Promise<void> {
  const { state, headers, key, response, now } = call;
  const { profile, objects } = state;
  const announced = headers['x-amz-checksum-sha256'];
  if (announced !== undefined && profile.checksum === 'rejected') throw new Refusal(400, 'InvalidArgument');
  if (headers['if-none-match'] !== undefined && profile.conditional === 'rejected')
    throw new Refusal(501, 'NotImplemented');
  const keep = (content: Buffer): void => {
    const checksum =
      announced === undefined || profile.checksum !== 'enforced' ? undefined : checksumOf(content);
    objects.set(key, {
      bytes: content,
      metadata: metadataOf(headers),
      checksum,
      etag: etagOf(content),
      modifiedAt: now,
    });
  };
  const bytes = await readBody(call, announced === undefined ? keep : undefined);
  await profile.storesAfter(key);
  const isConditional = headers['if-none-match'] !== undefined && profile.conditional === 'enforced';
  if (isConditional && objects.has(key)) throw new Refusal(412, 'PreconditionFailed');
  if (announced !== undefined && profile.checksum === 'enforced' && checksumOf(bytes) !== announced)
    throw new Refusal(400, 'BadDigest');
  if (bytes.length > profile.capacityBytes) throw new Refusal(507, 'QuotaExceeded');
  keep(bytes);
  await profile.answersAfter('PUT', key);
  response.writeHead(200, { etag: etagOf(bytes) }).end();
}

/** The body, if it is as long as announced and, where it is signed, has the signed digest. */
async function readBody(
  { request, headers, state }: Call,
  keepShort?: (part: Buffer) => void,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  if (headers['content-length'] === undefined) throw new Refusal(411, 'MissingContentLength');
  try {
    for await (const piece of request) pieces.push(piece);
  } catch {
    const isSigned = /^[0-9a-f]{64}$/.test(headers['x-amz-content-sha256'] ?? '');
    if (state.profile.keepsShortUploads && !isSigned) keepShort?.(Buffer.concat(pieces));
    throw new Refusal(400, 'IncompleteBody');
  }
  const bytes = Buffer.concat(pieces);
  const signed = headers['x-amz-content-sha256'] ?? '';
  if (!state.profile.checksSignedDigest) return bytes;
  const isRight =
    !/^[0-9a-f]{64}$/.test(signed) || Buffer.from(checksumOf(bytes), 'base64').toString('hex') === signed;
  if (!isRight) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
  return bytes;
}

function metadataOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-')));
}

async function getObject({ state, request, response, headers, key, query }: Call): Promise<void> {
  if (request.method === 'HEAD') await state.profile.answersAfter('HEAD', key);
  const object = state.objects.get(key);
  if (object === undefined) throw new Refusal(404, 'NoSuchKey');
  const hasChecksum = headers['x-amz-checksum-mode'] === 'ENABLED' && state.profile.reportsChecksum;
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers['range'] ?? '') ?? [];
  const isPart = from !== undefined && state.profile.ranges;
  const shift = state.profile.rangeAnswer === 'shifted' ? 1 : 0;
  const start = isPart ? Number(from) + shift : 0;
  const last = object.bytes.length - 1;
  const end = isPart && to !== '' ? Math.min(Number(to) + shift, last) : last;
  if (isPart && start >= object.bytes.length) throw new Refusal(416, 'InvalidRange');
  const disposition = query.get('response-content-disposition');
  const caching = query.get('response-cache-control');
  const body = object.bytes.subarray(start, end + 1);
  response.writeHead(isPart ? 206 : 200, {
    ...object.metadata,
    etag: object.etag,
    'last-modified': object.modifiedAt.toUTCString(),
    ...(isPart && state.profile.rangeAnswer === 'unsized' ? {} : { 'content-length': body.length }),
    'accept-ranges': 'bytes',
    ...(isPart ? { 'content-range': `bytes ${start}-${end}/${object.bytes.length}` } : {}),
    ...(disposition === null ? {} : { 'content-disposition': disposition }),
    ...(caching === null ? {} : { 'cache-control': caching }),
    ...(hasChecksum && object.checksum !== undefined ? { 'x-amz-checksum-sha256': object.checksum } : {}),
  });
  if (request.method === 'HEAD') return void response.end();
  await state.profile.sendsAfter(key);
  if (state.profile.trickles) return trickle(response, body);
  if (!state.profile.cutsAnswers) return void response.end(body);
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}

function trickle(response: ServerResponse, body: Buffer): void {
  let sent = 0;
  const timer = setInterval(() => response.write(body.subarray(sent, (sent += 1))), 5);
  response.once('close', () => clearInterval(timer));
}

async function deleteObject({ state, key, response }: Call): Promise<void> {
  const late = state.profile.deletesLate();
  if (late !== undefined) {
    void late.then(() => state.objects.delete(key));
    throw new Error('The connection breaks.');
  }
  state.objects.delete(key);
  await state.profile.answersAfter('DELETE', key);
  response.writeHead(204).end();
}

function list({ state, query, response }: Call): void {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('start-after') ?? '';
  const max = Number(query.get('max-keys') ?? 1000);
  const found = [...state.objects].filter(([key]) => key.startsWith(prefix) && key > after);
  const sorted = found.toSorted(([one], [other]) => (one < other ? -1 : 1));
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(listingXml(state.bucket, sorted.slice(0, max), sorted.length > max));
}

function answerXml({ response }: Call, xml: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(xml);
}

async function createUpload(call: Call): Promise<void> {
  const { state, key, headers, now } = call;
  const hasChecksums = headers['x-amz-checksum-algorithm'] !== undefined;
  if (hasChecksums && state.profile.checksum === 'rejected') throw new Refusal(400, 'InvalidArgument');
  const uploadId = randomBytes(8).toString('hex');
  const metadata = metadataOf(headers);
  state.uploads.set(uploadId, { key, metadata, hasChecksums, startedAt: now, parts: new Map() });
  await state.profile.answersAfter('CreateMultipartUpload', key);
  answerXml(
    call,
    `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`,
  );
}

function listParts(call: Call): void {
  const { query } = call;
  const after = Number(query.get('part-number-marker') ?? 0);
  answerXml(call, partsXml(uploadOf(call), after, Number(query.get('max-parts') ?? 1000)));
}

function uploadOf({ state, query }: Call): PartUpload {
  const upload = state.uploads.get(query.get('uploadId') ?? '');
  if (upload === undefined) throw new Refusal(404, 'NoSuchUpload');
  return upload;
}

async function putPart(call: Call): Promise<void> {
  const upload = uploadOf(call);
  const { headers, state } = call;
  const announced = headers['x-amz-checksum-sha256'];
  if (announced !== undefined && state.profile.checksum === 'rejected')
    throw new Refusal(400, 'InvalidArgument');
  if (upload.hasChecksums && announced === undefined) throw new Refusal(400, 'InvalidRequest');
  const bytes = await readBody(call);
  if (announced !== undefined && state.profile.checksum === 'enforced' && checksumOf(bytes) !== announced)
    throw new Refusal(400, 'BadDigest');
  if (bytes.length > state.profile.capacityBytes) throw new Refusal(507, 'QuotaExceeded');
  upload.parts.set(Number(call.query.get('partNumber')), bytes);
  await state.profile.answersAfter('UploadPart', upload.key);
  call.response.writeHead(200, { etag: etagOf(bytes) }).end();
}

async function completeUpload(call: Call): Promise<void> {
  const upload = uploadOf(call);
  const named = etagsIn(await readBody(call));
  const { headers, state } = call;
  const isConditional = headers['if-none-match'] !== undefined && state.profile.conditional === 'enforced';
  if (isConditional && state.objects.has(upload.key)) throw new Refusal(412, 'PreconditionFailed');
  const parts = sortedParts(upload).map(([, bytes]) => bytes);
  if (named.join() !== parts.map(etagOf).join()) throw new Refusal(400, 'InvalidPart');
  const leastBytes = 5 * 1024 ** 2;
  if (parts.slice(0, -1).some((bytes) => bytes.length < leastBytes)) throw new Refusal(400, 'EntityTooSmall');
  const bytes = Buffer.concat(parts);
  const checksum = `${checksumOf(Buffer.concat(parts.map((part) => Buffer.from(checksumOf(part), 'base64'))))}-${parts.length}`;
  const { key, metadata } = upload;
  call.state.objects.set(key, { bytes, metadata, checksum, etag: etagOf(bytes), modifiedAt: call.now });
  call.state.uploads.delete(call.query.get('uploadId') ?? '');
  await state.profile.answersAfter('CompleteMultipartUpload', key);
  call.response.writeHead(200, { 'content-type': 'application/xml' });
  call.response.end(
    `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>x</ETag></CompleteMultipartUploadResult>`,
  );
}

function abortUpload(call: Call): void {
  uploadOf(call);
  call.state.uploads.delete(call.query.get('uploadId') ?? '');
  call.response.writeHead(204).end();
}
