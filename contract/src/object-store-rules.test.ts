import { expect, test } from 'vitest';
import {
  objectStoreEndpoint,
  objectStorePrefix,
  objectStoreProblem,
  objectStorePublicEndpoint,
} from './object-store-rules.ts';

const fine = { endpoint: 'https://s3.example', bucket: 'assets', accessKeyId: 'key' };

test('accepts what stores accept', () => {
  for (const fields of [
    fine,
    { ...fine, endpoint: 'http://127.0.0.1:9000', publicEndpoint: 'https://files.example/s3' },
    {
      ...fine,
      bucket: 'my.bucket-1',
      region: 'eu-central-1',
      prefix: '/a/b_c/(d)/',
      secretAccessKey: 'a/b+c=',
    },
    { ...fine, prefix: '' },
    { ...fine, endpoint: 'http://minio:9000', publicEndpoint: 'none' },
  ])
    expect(objectStoreProblem(fields)).toBeUndefined();
  expect(objectStorePrefix('/a/b/')).toBe('a/b');
  expect(objectStoreEndpoint('https://S3.example:443/')).toBe('https://s3.example');
  expect(objectStorePublicEndpoint('https://S3.example/')).toBe('https://s3.example');
  expect(objectStorePublicEndpoint('none')).toBe('none');
});

test('names the setting that is wrong', () => {
  const problems = [
    [{ endpoint: 's3.example' }, /^Endpoint must be/],
    [{ endpoint: 'ftp://s3.example' }, /^Endpoint must be/],
    [{ endpoint: 'https://user:word@s3.example' }, /^Endpoint must be/],
    [{ endpoint: 'none' }, /^Endpoint must be/],
    [
      { publicEndpoint: 'https://s3.example/?x' },
      /^Public endpoint must be .* fragment; or none if only the hub reaches the store\.$/,
    ],
    [{ bucket: 'a' }, /^Bucket must be/],
    [{ bucket: 'a/../b' }, /^Bucket must be/],
    [{ region: 'eu central' }, /^Region must be/],
    [{ prefix: 'a/../b' }, /^Prefix must be/],
    [{ prefix: 'a//b' }, /^Prefix must be/],
    [{ prefix: '.hidden' }, /^Prefix must be/],
    [{ accessKeyId: 'with space' }, /^Access key id must be/],
    [{ secretAccessKey: 'line\n' }, /^Secret access key must be/],
  ] as const;
  for (const [wrong, message] of problems) expect(objectStoreProblem({ ...fine, ...wrong })).toMatch(message);
});
