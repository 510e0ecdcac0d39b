import {
  characterCount,
  emailProblem,
  maxPasswordBytes,
  minPasswordCharacters,
  objectStorePrefix,
  objectStoreRules,
} from '@corral/contract';
import { z } from 'zod';
import { isAddressRange } from './addresses.ts';
import { hostNames, proxyDomain } from './host-schemas.ts';

/** One setting: its names are derived from its key in `keys` (`publicUrl`: CORRAL_PUBLIC_URL, public_url). */
export interface Key<Value = unknown> {
  /** One sentence for `--help` and the reference. */
  readonly doc: string;
  /** The default as text for the operator; absent if there is no default. */
  readonly fallback?: string;
  /** Parses the text of an environment variable or command-line option, or a TOML value converted to text. */
  readonly schema: z.ZodType<Value, string>;
  /** Secrets are never shown in a message. */
  readonly isSecret?: boolean;
}

const yes = ['true', 'on', 'yes', '1'];
const no = ['false', 'off', 'no', '0'];

const text = z.string().min(1, 'must not be empty');
const flag = z
  .string()
  .refine((word) => [...yes, ...no].includes(word.toLowerCase()), 'must be true or false')
  .transform((word) => yes.includes(word.toLowerCase()));
const ranges = z
  .string()
  .transform((list) => list.split(/[\s,]+/).filter((range) => range !== ''))
  .refine(
    (list) => list.every(isAddressRange),
    'must be addresses or ranges such as 10.0.0.0/8, separated by commas',
  );

function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

function oneOf<const Words extends readonly string[]>(...words: Words): z.ZodType<Words[number], string> {
  const message = `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  return z.string().refine((word) => words.includes(word), message) as unknown as z.ZodType<
    Words[number],
    string
  >;
}

function webAddress(isFitting: (url: URL) => boolean, message: string): z.ZodType<string, string> {
  return z.string().refine((value) => URL.canParse(value) && isFitting(new URL(value)), message);
}

const isWeb = (url: URL): boolean => ['http:', 'https:'].includes(url.protocol) && url.username === '';
const origin = webAddress(
  (url) => isWeb(url) && url.pathname === '/' && url.search === '' && url.hash === '',
  'must be an origin such as https://hub.example, without a path',
).transform((value) => new URL(value).origin);

const isPostgres = (url: URL): boolean => ['postgres:', 'postgresql:'].includes(url.protocol);
const postgresUrl = webAddress(isPostgres, 'must be a URL such as postgres://user:password@server/database');

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

const isSmtp = (url: URL): boolean =>
  ['smtp:', 'smtps:'].includes(url.protocol) &&
  url.hostname !== '' &&
  ['', '/'].includes(url.pathname) &&
  isDecodable(url.username + url.password) &&
  url.search + url.hash === '';
const smtpUrl = webAddress(isSmtp, 'must be a URL such as smtps://user:password@server:465');
const mailSender = z
  .string()
  .regex(
    /^(?:[^<>@"\p{Cc}]* )?<[^\s@<>]+@[^\s@<>]+>$|^[^\s@<>]+@[^\s@<>]+$/u,
    'must be an e-mail address, or a name and an address such as Corral <corral@hub.example>',
  );

const isHttps = (url: URL): boolean => url.protocol === 'https:' && url.username === '';
const httpsPage = webAddress(isHttps, 'must be an https address such as https://hub.example/terms').transform(
  (value) => new URL(value).href,
);

const mailAddress = /^(?:mailto:)?([^\s@<>?&%"#:,]+@[^\s@<>?&%"#:,]+)$/i;
// Always normalised to a link, so that the console can use it as it is.
const contact = z
  .string()
  .refine(
    (value) => mailAddress.test(value) || (URL.canParse(value) && isHttps(new URL(value))),
    'must be an e-mail address, or an https address such as https://hub.example/help',
  )
  .transform((value) => {
    const address = mailAddress.exec(value)?.[1];
    return address === undefined ? new URL(value).href : `mailto:${address}`;
  });

/** A setting of the S3-compatible store, with the rule that the console's form has. */
const storeSetting = (name: keyof typeof objectStoreRules): z.ZodType<string, string> =>
  z.string().superRefine((value, context) => {
    const problem = objectStoreRules[name](value);
    const rest = problem?.slice(problem.indexOf(' must be ') + 1, -1);
    if (rest !== undefined) context.addIssue({ code: 'custom', message: rest });
  });

const secretKeys = z
  .string()
  .transform((list) => list.split(/[\s,]+/).filter((key) => key !== ''))
  .refine(
    (list) => list.length > 0 && list.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key)),
    'must be 32 bytes in base64, such as the output of `openssl rand -base64 32`',
  );

/** Every setting except the scripts, in the order of the reference. */
export const keys = {
  host: {
    doc: 'The address to listen on; other machines can reach the hub only if it is not a loopback address.',
    fallback: '127.0.0.1',
    schema: text,
  },
  port: {
    doc: 'The TCP port to listen on; 0 chooses a free one.',
    fallback: '8080',
    schema: wholeNumber(0, 65_535),
  },
  publicUrl: {
    doc: 'The origin under which browsers reach the hub; links and the same-origin check use it.',
    fallback: 'derived from host and port',
    schema: origin,
  },
  proxyDomain: {
    doc: 'The domain below which each port of a device gets a host name for its web page; its registrable domain must differ from that of the public URL.',
    fallback: "proxy.localhost on the hub's own port",
    schema: proxyDomain,
  },
  hostNames: {
    doc: 'Further host names at which the console and the API are served, besides that of the public URL, localhost and IP addresses; separated by commas.',
    fallback: 'none',
    schema: hostNames,
  },
  dataDir: {
    doc: 'The folder for all data of the hub: database, assets, keys.',
    fallback: './corral-data (as root /var/lib/corral)',
    schema: text,
  },
  databaseUrl: {
    doc: 'The PostgreSQL server to use; without it the hub runs its own in the data folder.',
    schema: postgresUrl,
    isSecret: true,
  },
  secretKey: {
    doc: 'The key that encrypts secrets in the database: 32 random bytes in base64, the same on every node. Of several, separated by commas, the first encrypts and all decrypt.',
    fallback: 'generated at the first start, in the file secret.key of the data folder',
    schema: secretKeys,
    isSecret: true,
  },
  adminEmail: {
    doc: 'The e-mail address of the administrator that the hub creates in an empty database.',
    fallback: 'admin@localhost',
    schema: z.string().refine((typed) => emailProblem(typed) === undefined, 'must be an e-mail address'),
  },
  adminPassword: {
    doc: 'The password of that administrator; without it a random one is generated and printed once.',
    schema: z
      .string()
      .refine(
        (typed) => characterCount(typed) >= minPasswordCharacters,
        `must have at least ${minPasswordCharacters} characters`,
      )
      .refine(
        (typed) => Buffer.byteLength(typed) <= maxPasswordBytes,
        `must have at most ${maxPasswordBytes} bytes`,
      ),
    isSecret: true,
  },
  tlsCert: {
    doc: 'A PEM file with the certificate chain; with it the hub serves HTTPS itself.',
    schema: text,
  },
  tlsKey: { doc: 'The PEM file with the private key of that certificate.', schema: text },
  allowInsecureHttp: {
    doc: 'Allows plain HTTP on addresses that other machines can reach; passwords then cross the network unencrypted.',
    fallback: 'false',
    schema: flag,
  },
  deviceCertificateHeader: {
    doc: 'Whether the X-Client-Cert header is trusted: on, off, or auto (trusted proxies; without them plain HTTP on loopback, if the public URL is there as well).',
    fallback: 'auto',
    schema: oneOf('auto', 'on', 'off'),
  },
  trustedProxies: {
    doc: 'Addresses or ranges of the reverse proxies in front of the hub, separated by commas.',
    fallback: 'none',
    schema: ranges,
  },
  trustedProxyHeader: {
    doc: 'Whether X-Forwarded-For of the trusted proxies is trusted as the address of the client; enable it only if they overwrite or append to the header.',
    fallback: 'false',
    schema: flag,
  },
  maxConnections: {
    doc: 'How many connections the hub holds at most, of all kinds; it needs further descriptors for its database and files.',
    fallback: 'three quarters of the descriptors that the system allows, at most 65536',
    schema: wholeNumber(16, 1_000_000),
  },
  maxConnectionsPerAddress: {
    doc: 'How many of them may come from one IPv4 address or IPv6 /64; those of trusted proxies are not counted. A site behind one address needs one for each of its devices.',
    fallback: 'half of all',
    schema: wholeNumber(1, 1_000_000),
  },
  metricsFrom: {
    doc: 'Addresses or ranges that may read /metrics, compared with the TCP peer; requests that a proxy forwarded are refused.',
    fallback: '127.0.0.0/8, ::1; none behind a proxy on the same machine',
    schema: ranges,
  },
  logLevel: {
    doc: 'The lowest level that is logged.',
    fallback: 'info',
    schema: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  },
  logFormat: {
    doc: 'The log format: pretty for people, json for machines.',
    fallback: 'pretty on a terminal, otherwise json',
    schema: oneOf('pretty', 'json'),
  },
  nodeName: {
    doc: 'The name of this node in the cluster view.',
    fallback: "the machine's name",
    schema: text,
  },
  banner: {
    doc: 'A banner above the console, in HTML; all elements except a, b, i, em, strong, br, p, span and code are removed.',
    schema: text,
  },
  eventRetentionMonths: {
    doc: 'The number of months for which events of devices are kept.',
    fallback: '12',
    schema: wholeNumber(1, 1200),
  },
  auditRetentionMonths: {
    doc: 'The number of months for which the audit log is kept; it is removed with its seals, and the rest still proves itself.',
    fallback: '24',
    schema: wholeNumber(1, 1200),
  },
  registration: {
    doc: 'Whether people may create accounts for themselves: open or closed; activation links sent earlier stay valid for their 24 hours.',
    fallback: 'open',
    schema: oneOf('open', 'closed'),
  },
  registrationConcealExisting: {
    doc: 'Whether a registration with an address that already has an account or a registration is answered as if it had none.',
    fallback: 'false',
    schema: flag,
  },
  s3Endpoint: {
    doc: 'The S3-compatible store for assets, such as https://s3.example; without it they are kept in the data folder. Assets stay where they were uploaded.',
    schema: storeSetting('endpoint'),
  },
  s3PublicEndpoint: {
    doc: 'The address at which browsers, build machines and devices reach that store.',
    fallback: 'the endpoint',
    schema: storeSetting('publicEndpoint'),
  },
  s3Bucket: { doc: 'The bucket of that store.', schema: storeSetting('bucket') },
  s3Region: {
    doc: 'The region of that store.',
    fallback: 'us-east-1',
    schema: storeSetting('region'),
  },
  s3Prefix: {
    doc: 'The beginning of all keys in the bucket, for a bucket that others use as well.',
    fallback: 'none',
    schema: storeSetting('prefix').transform(objectStorePrefix),
  },
  s3AccessKeyId: {
    doc: 'The id of the access key for that store.',
    schema: storeSetting('accessKeyId'),
  },
  s3SecretAccessKey: {
    doc: 'The secret of that access key.',
    schema: storeSetting('secretAccessKey'),
    isSecret: true,
  },
  s3ForcePathStyle: {
    doc: 'Whether the bucket is in the path of URLs; if false, in the host name.',
    fallback: 'true',
    schema: flag,
  },
  s3PrivateRanges: {
    doc: 'Private and loopback addresses or ranges at which owners of repositories may have their own S3-compatible stores, also by plain HTTP; separated by commas.',
    fallback: 'none',
    schema: ranges,
  },
  smtpUrl: {
    doc: 'The server that sends e-mails, smtp:// or smtps:// with user and password; without it they are written to the folder outbox of the data folder, and their links to the log.',
    schema: smtpUrl,
    isSecret: true,
  },
  mailFrom: {
    doc: 'The sender of e-mails.',
    fallback: 'Corral <no-reply@HOST>, with the host of the public URL',
    schema: mailSender,
  },
  productUrl: {
    doc: 'The target of the product link on the sign-in page.',
    fallback: 'none',
    schema: webAddress(isWeb, 'must be a web address such as https://product.example'),
  },
  termsUrl: {
    doc: 'The https address of the Terms of Service, which people accept when they sign up; linked from the form.',
    fallback: 'none',
    schema: httpsPage,
  },
  privacyUrl: {
    doc: 'The https address of the Privacy Policy, which they accept as well; linked from the form.',
    fallback: 'none',
    schema: httpsPage,
  },
  adminContact: {
    doc: 'The contact for people who cannot sign in or need help: an e-mail address, or an https address.',
    fallback: 'none',
    schema: contact,
  },
} as const satisfies Record<string, Key>;

/** The name of a setting inside the program. */
export type KeyName = keyof typeof keys;

/** The values that are set, by name. */
export type Settings = { readonly [Name in KeyName]?: z.output<(typeof keys)[Name]['schema']> | undefined };

const words = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`);

/** The environment variable of a setting. */
export function variableOf(name: string): string {
  return `CORRAL_${words(name).toUpperCase()}`;
}

/** The name of a setting in the TOML file. */
export function tomlNameOf(name: string): string {
  return words(name).toLowerCase();
}

/** The names of all settings. */
export const keyNames = Object.keys(keys) as KeyName[];
