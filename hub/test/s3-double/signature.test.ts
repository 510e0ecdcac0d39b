import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, test } from 'vitest';
import { signatureFault, type SignedRequest } from './signature.ts';

// The examples of "Authenticating Requests (AWS Signature Version 4)" in the API reference of Amazon S3.
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const signedAt = new Date(Date.UTC(2013, 4, 24));
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function example(
  method: string,
  target: string,
  headers: Record<string, string>,
  signature: string,
  payloadHash = emptyHash,
): SignedRequest {
  const all: Record<string, string> = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': '20130524T000000Z',
    ...headers,
  };
  const names = Object.keys(all).toSorted().join(';');
  const authorization = `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`;
  return { method, target, headers: { ...all, authorization } };
}

const published = [
  example(
    'GET',
    '/test.txt',
    { range: 'bytes=0-9' },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ),
  example(
    'PUT',
    '/test%24file.text',
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
  ),
  example('GET', '/?lifecycle', {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'),
  example(
    'GET',
    '/?max-keys=2&prefix=J',
    {},
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ),
  {
    method: 'GET',
    target:
      '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    headers: { host: 'examplebucket.s3.amazonaws.com' },
  },
];

test('accepts the published examples, and refuses each of them with one change', () => {
  for (const request of published) {
    const fault = (changed: Partial<SignedRequest> = {}) =>
      signatureFault({ ...request, ...changed }, credentials, signedAt)?.code;
    expect(fault()).toBeUndefined();
    expect(fault({ method: 'DELETE' })).toBe('SignatureDoesNotMatch');
    expect(fault({ target: request.target.replace('/', '/x') })).toBe('SignatureDoesNotMatch');
    expect(fault({ headers: { ...request.headers, host: 'other.s3.amazonaws.com' } })).toBe(
      'SignatureDoesNotMatch',
    );
    expect(fault({ headers: { ...request.headers, 'x-amz-acl': 'public-read' } })).toBe('AccessDenied');
    const wrongSecret = { ...credentials, secretAccessKey: 'other' };
    expect(signatureFault(request, wrongSecret, signedAt)?.code).toBe('SignatureDoesNotMatch');
    expect(signatureFault(request, { ...credentials, accessKeyId: 'other' }, signedAt)?.code).toBe(
      'InvalidAccessKeyId',
    );
  }
});

test('refuses what is too old or too new, and two signatures at once', () => {
  const [header, , , , presigned] = published;
  const after = (hours: number) => new Date(signedAt.getTime() + hours * 3_600_000);
  const fault = (request: SignedRequest | undefined, at: Date) =>
    request && signatureFault(request, credentials, at)?.code;
  expect(fault(header, after(0.24))).toBeUndefined();
  expect(fault(header, after(0.26))).toBe('RequestTimeTooSkewed');
  expect(fault(header, after(-0.26))).toBe('RequestTimeTooSkewed');
  expect(fault(presigned, after(23.9))).toBeUndefined();
  expect(fault(presigned, after(24.1))).toBe('AccessDenied');
  expect(fault(presigned, after(-0.3))).toBe('AccessDenied');
  const both = { ...presigned!, headers: { ...presigned!.headers, authorization: 'Bearer x' } };
  expect(signatureFault(both, credentials, signedAt)).toEqual({ status: 400, code: 'InvalidArgument' });
});

test('accepts what the presigner of another author signs', async () => {
  const client = new S3Client({ endpoint: 'https://s3.example', region: 'eu-central-1', credentials });
  const Key = 'a b/ü+(1)*~.img';
  const put = new PutObjectCommand({ Bucket: 'assets', Key, ContentLength: 5, IfNoneMatch: '*' });
  const get = new GetObjectCommand({
    Bucket: 'assets',
    Key,
    ResponseContentDisposition: `attachment; filename="a \\"b\\".img"; filename*=UTF-8''%C3%BC`,
  });
  const signing = { expiresIn: 60, signableHeaders: new Set(['host', 'content-length', 'if-none-match']) };
  const headers = { 'content-length': '5', 'if-none-match': '*' };
  for (const [method, command] of [
    ['PUT', put],
    ['GET', get],
  ] as const) {
    const url = new URL(await getSignedUrl(client, command as typeof get, signing));
    const request = { method, target: url.pathname + url.search, headers: { ...headers, host: url.host } };
    expect(signatureFault(request, credentials, new Date())).toBeUndefined();
  }
});
