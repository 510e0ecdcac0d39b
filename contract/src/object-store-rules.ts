// The rules for the settings of an S3-compatible store, which the hub and the console both use. Each returns a sentence, or undefined.

/** The settings of an S3-compatible store, as people type them. */
export interface ObjectStoreFields {
  readonly endpoint: string;
  readonly publicEndpoint?: string | undefined;
  readonly bucket: string;
  readonly region?: string | undefined;
  readonly prefix?: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey?: string | undefined;
}

/** The public endpoint of a store that only the hub reaches: all up- and downloads then go through the hub. */
export const noPublicEndpoint = 'none';

const maxEndpointCharacters = 500;
const maxPrefixCharacters = 512;

/** What is wrong with a setting of a store, each in a sentence that names it. */
export const objectStoreRules: {
  readonly [Field in keyof ObjectStoreFields]-?: (value: string) => string | undefined;
} = {
  endpoint: (value) => endpointProblem('Endpoint', value),
  publicEndpoint: (value) =>
    value === noPublicEndpoint
      ? undefined
      : endpointProblem('Public endpoint', value)?.replace(
          /\.$/,
          `; or ${noPublicEndpoint} if only the hub reaches the store.`,
        ),
  bucket: (value) =>
    /^[a-z0-9][a-z0-9._-]{1,253}[a-z0-9]$/i.test(value)
      ? undefined
      : 'Bucket must be 3 to 255 letters, digits, ".", "_" and "-".',
  region: (value) =>
    /^[a-z0-9-]{1,64}$/i.test(value) ? undefined : 'Region must be at most 64 letters, digits and "-".',
  prefix: (value) => {
    const parts = objectStorePrefix(value).split('/');
    const isFitting =
      value.length <= maxPrefixCharacters &&
      (parts.join('') === '' || parts.every((part) => /^[\w!*'()-][\w.!*'()-]*$/.test(part)));
    return isFitting
      ? undefined
      : `Prefix must be at most ${maxPrefixCharacters} letters, digits, "_", "-", ".", and "/" between parts that do not begin with ".".`;
  },
  accessKeyId: (value) =>
    /^[\x21-\x7e]{1,256}$/.test(value)
      ? undefined
      : 'Access key id must be 1 to 256 visible characters, without spaces.',
  secretAccessKey: (value) =>
    /^[\x21-\x7e]{1,1024}$/.test(value)
      ? undefined
      : 'Secret access key must be 1 to 1024 visible characters, without spaces.',
};

function endpointProblem(name: string, value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isFitting =
    url !== undefined &&
    value.length <= maxEndpointCharacters &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username + url.password + url.search + url.hash === '';
  return isFitting
    ? undefined
    : `${name} must be an address such as https://s3.example, without user, query or fragment.`;
}

/** The first thing that is wrong with the settings of a store. */
export function objectStoreProblem(fields: ObjectStoreFields): string | undefined {
  const names = Object.keys(objectStoreRules) as (keyof ObjectStoreFields)[];
  for (const name of names) {
    const value = fields[name];
    const problem = value === undefined ? undefined : objectStoreRules[name](value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A prefix without slashes at its ends. */
export function objectStorePrefix(prefix: string): string {
  return prefix.replace(/^\/+|\/+$/g, '');
}

/** A public endpoint as it is stored; undefined for that of the hub. */
export function objectStorePublicEndpoint(endpoint: string | undefined): string | undefined {
  return endpoint === undefined || endpoint === noPublicEndpoint ? endpoint : objectStoreEndpoint(endpoint);
}

/** An endpoint as it is stored and compared: without a slash at its end. */
export function objectStoreEndpoint(endpoint: string): string {
  return new URL(endpoint).href.replace(/\/+$/, '');
}
