import { createHash, createHmac } from 'node:crypto';

/** A request whose signature is checked. Names of headers are in lower case. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The credentials that the signature is checked against. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Why a request is refused, as S3 names it. */
export interface SignatureFault {
  readonly status: 400 | 403;
  readonly code: string;
}

interface Claim {
  readonly keyId: string;
  readonly date: string;
  readonly region: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly time: string;
  readonly payloadHash: string;
  /** How long a presigned request is valid. */
  readonly expiresSecs: number | undefined;
}

const maxSkewMs = 15 * 60_000;
const algorithm = 'AWS4-HMAC-SHA256';

/** Checks a request by AWS Signature Version 4, in its headers or its query. Undefined if it may pass. */
export function signatureFault(
  request: SignedRequest,
  { accessKeyId, secretAccessKey }: Credentials,
  now: Date,
): SignatureFault | undefined {
  const isPresigned = queryOf(request).has('X-Amz-Signature');
  if (isPresigned && request.headers['authorization'] !== undefined)
    return { status: 400, code: 'InvalidArgument' };
  const claim = isPresigned ? queryClaim(request) : headerClaim(request);
  if (claim === undefined) return { status: 403, code: 'AccessDenied' };
  if (claim.keyId !== accessKeyId) return { status: 403, code: 'InvalidAccessKeyId' };
  const fault = timeFault(claim, now) ?? unsignedHeaders(request, claim);
  if (fault !== undefined) return { status: 403, code: fault };
  const expected = signatureOf(request, claim, secretAccessKey);
  return expected === claim.signature ? undefined : { status: 403, code: 'SignatureDoesNotMatch' };
}

function timeFault({ time, date, expiresSecs }: Claim, now: Date): string | undefined {
  const signedAt = timeOf(time);
  if (!time.startsWith(date)) return 'SignatureDoesNotMatch';
  if (expiresSecs === undefined) {
    return Math.abs(now.getTime() - signedAt) > maxSkewMs ? 'RequestTimeTooSkewed' : undefined;
  }
  const isValid = expiresSecs > 0 && expiresSecs <= 604_800;
  if (!isValid || signedAt - now.getTime() > maxSkewMs) return 'AccessDenied';
  return now.getTime() > signedAt + expiresSecs * 1000 ? 'AccessDenied' : undefined;
}

/** S3 refuses headers of its own that the signature does not cover. */
function unsignedHeaders({ headers }: SignedRequest, { signedHeaders }: Claim): string | undefined {
  const own = Object.keys(headers).filter((name) => name.startsWith('x-amz-') || name === 'host');
  return own.every((name) => signedHeaders.includes(name)) ? undefined : 'AccessDenied';
}

function headerClaim({ headers }: SignedRequest): Claim | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, keyId, date, region, names, signature] = form.exec(headers['authorization'] ?? '') ?? [];
  const time = headers['x-amz-date'];
  const payloadHash = headers['x-amz-content-sha256'];
  if (!keyId || !date || !region || !names || !signature || !time || !payloadHash) return undefined;
  return {
    keyId,
    date,
    region,
    signature,
    time,
    payloadHash,
    signedHeaders: names.split(';'),
    expiresSecs: undefined,
  };
}

function queryClaim(request: SignedRequest): Claim | undefined {
  const query = queryOf(request);
  const form = /^([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request$/;
  const [, keyId, date, region] = form.exec(query.get('X-Amz-Credential') ?? '') ?? [];
  const time = query.get('X-Amz-Date');
  if (!keyId || !date || !region || !time || query.get('X-Amz-Algorithm') !== algorithm) return undefined;
  return {
    keyId,
    date,
    region,
    time,
    signature: query.get('X-Amz-Signature') ?? '',
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    payloadHash: 'UNSIGNED-PAYLOAD',
    expiresSecs: Number(query.get('X-Amz-Expires')),
  };
}

function signatureOf(request: SignedRequest, claim: Claim, secret: string): string {
  const scope = `${claim.date}/${claim.region}/s3/aws4_request`;
  const hashed = createHash('sha256').update(canonicalRequest(request, claim)).digest('hex');
  const toSign = [algorithm, claim.time, scope, hashed].join('\n');
  const key = [claim.date, claim.region, 's3', 'aws4_request'].reduce<Buffer>(
    (from, part) => createHmac('sha256', from).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  );
  return createHmac('sha256', key).update(toSign).digest('hex');
}

function canonicalRequest(request: SignedRequest, { signedHeaders, payloadHash }: Claim): string {
  const { method, target, headers } = request;
  const path = target.split('?')[0] ?? '';
  const pairs = [...queryOf(request)].filter(([name]) => name !== 'X-Amz-Signature');
  const query = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted();
  const lines = signedHeaders.map((name) => `${name}:${(headers[name] ?? '').trim().replaceAll(/ +/g, ' ')}`);
  return [
    method,
    path
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    `${lines.join('\n')}\n`,
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n');
}

/** Everything but unreserved characters, as AWS writes it. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A plus sign in a query stands for itself. */
function queryOf({ target }: SignedRequest): Map<string, string> {
  const [, query = ''] = target.split('?');
  const pairs = query.split('&').filter((pair) => pair !== '');
  return new Map(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [decodeURIComponent(name), decodeURIComponent(value)];
    }),
  );
}

function timeOf(time: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time)?.map(Number) ?? [];
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}
