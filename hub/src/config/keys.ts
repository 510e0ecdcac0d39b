import {
  characterCount,
  emailProblem,
  maxPasswordBytes,
  minPasswordCharacters,
  objectStorePrefix,
} from '@corral/contract';
import { z } from 'zod';
import { hostNames, proxyDomain } from './host-schemas.ts';
import { ciIssuers } from './ci-issuers.ts';
import { privateTargets } from './private-targets.ts';
import {
  changed,
  contact,
  filePath,
  flag,
  httpsPage,
  isWeb,
  mailSender,
  natsUrls,
  oneOf,
  origin,
  postgresUrl,
  ranges,
  secretKeys,
  issuer,
  smtpUrl,
  storeSetting,
  taking,
  textOf,
  webAddress,
  wholeNumber,
} from './value-schemas.ts';

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

/** Every setting except the scripts, in the order of the reference. */
export const keys = {
  host: {
    doc: 'The address to listen on; other machines can reach the hub only if it is not a loopback address.',
    fallback: '127.0.0.1',
    schema: textOf('an IP address or a host name'),
  },
  port: {
    doc: 'The TCP port to listen on; 0 chooses a free one.',
    fallback: '8080',
    schema: wholeNumber(0, 65_535),
  },
  publicUrl: {
    doc: 'The origin under which browsers reach the hub; links use it.',
    fallback: 'derived from host and port',
    schema: origin,
  },
  proxyDomain: {
    doc: 'The domain below which each port of a device gets a host name for its web page; its registrable domain must differ from that of the public URL.',
    fallback: "proxy.localhost on the hub's own port",
    schema: taking('a domain such as devices.example, with a port if browsers need one', proxyDomain),
  },
  hostNames: {
    doc: 'Further host names at which the console and the API are served, besides that of the public URL, localhost and IP addresses; separated by commas. People can sign in at each of them; over plain HTTP that needs an http public URL and CORRAL_ALLOW_INSECURE_HTTP.',
    fallback: 'none',
    schema: taking('host names such as hub.lan, separated by commas', hostNames),
  },
  dataDir: {
    doc: 'The folder for all data of the hub: database, assets, keys.',
    fallback: './corral-data (as root /var/lib/corral)',
    schema: textOf('the path of a folder'),
  },
  diskReserveMib: {
    doc: 'How many MiB of the disk of the data folder assets leave free, for the database and whatever else is there.',
    fallback: '5 % of the disk, at most 1024',
    schema: wholeNumber(0, 16_777_216),
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
  natsUrl: {
    doc: 'The NATS through which the nodes of a cluster tell each other of changes at once; without it a hub is the only node.',
    fallback: 'none',
    schema: natsUrls,
    isSecret: true,
  },
  natsCredentialsFile: {
    doc: 'The path of a credentials file (.creds) for NATS, instead of a user in the URL.',
    fallback: 'none',
    schema: filePath,
  },
  natsCaFile: {
    doc: 'The path of the certificates, in PEM, of the authorities that sign the certificates of NATS; the connection is then encrypted.',
    fallback: 'those of the system',
    schema: filePath,
  },
  peerHost: {
    doc: 'The address at which this node listens for the other nodes of its cluster and at which they reach it; no one else needs to.',
    fallback: 'the address to listen on, or the first of the machine where that is all',
    schema: textOf('an IP address or a host name'),
  },
  peerPort: {
    doc: 'The TCP port for the other nodes; 0 chooses a free one.',
    fallback: '0',
    schema: wholeNumber(0, 65_535),
  },
  adminEmail: {
    doc: 'The e-mail address of the administrator that the hub creates in an empty database.',
    fallback: 'admin@localhost',
    schema: taking(
      'an e-mail address',
      z.string().refine((typed) => emailProblem(typed) === undefined, 'must be an e-mail address'),
    ),
  },
  adminPassword: {
    doc: 'The password of that administrator; without it a random one is generated and printed once.',
    schema: taking(
      `a text of at least ${minPasswordCharacters} characters and at most ${maxPasswordBytes} bytes`,
      z
        .string()
        .refine(
          (typed) => characterCount(typed) >= minPasswordCharacters,
          `must have at least ${minPasswordCharacters} characters`,
        )
        .refine(
          (typed) => Buffer.byteLength(typed) <= maxPasswordBytes,
          `must have at most ${maxPasswordBytes} bytes`,
        ),
    ),
    isSecret: true,
  },
  tlsCert: {
    doc: 'A PEM file with the certificate chain; with it the hub serves HTTPS itself.',
    schema: filePath,
  },
  tlsKey: { doc: 'The PEM file with the private key of that certificate.', schema: filePath },
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
    doc: 'How many of them may come from one IPv4 address or IPv6 /64, at each hub; those of trusted proxies are not counted. A site behind one address needs one for each of its devices.',
    fallback: 'half of all',
    schema: wholeNumber(1, 1_000_000),
  },
  anonymousRequestsPerSecond: {
    doc: 'How many requests without a session or token one IPv4 address or IPv6 /64 may send to this hub in a second on average, three times as many at once; further ones wait, and are refused after 5 s. Files of public repositories have ten times this rate, counted apart. Health checks, signed URLs of assets, pages of devices with an access and requests of trusted proxies themselves are not counted.',
    fallback: '100',
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
    schema: textOf('a text'),
  },
  banner: {
    doc: 'A banner above the console, in HTML; all elements except a, b, i, em, strong, br, p, span and code are removed.',
    schema: textOf('a text in HTML'),
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
  scrubGibPerHour: {
    doc: 'How many GiB of stored assets the hub reads in an hour at most, to check them.',
    fallback: '50',
    schema: wholeNumber(1, 100_000),
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
    doc: 'The address at which browsers, build machines and devices reach that store; none if they cannot, so that all up- and downloads go through the hub.',
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
    schema: changed(storeSetting('prefix'), objectStorePrefix),
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
  privateTargets: {
    doc: 'Hosts, addresses or ranges inside the network of the hub, each with a port or *, to which settings of users may lead it, such as to the S3-compatible stores of their repositories, also by plain HTTP; separated by commas. Other private and loopback addresses are refused.',
    fallback: 'none',
    schema: privateTargets,
  },
  ciIssuers: {
    doc: 'The CIs whose jobs may publish to repositories without a stored secret, once an owner of the repository allows it: the words github and gitlab, and the issuers of others, separated by commas.',
    fallback: 'none',
    schema: ciIssuers,
  },
  s3RedirectHosts: {
    doc: 'Hosts of S3-compatible stores of repositories, to which the paths of public files may lead; those at other hosts are sent by the hub. The store of the instance needs no entry.',
    fallback: 'none',
    schema: taking('host names such as s3.lan, separated by commas', hostNames),
  },
  oidcIssuer: {
    doc: 'The provider of OpenID Connect at which people may sign in, to the letter as it names itself.',
    schema: issuer,
  },
  oidcClientId: { doc: 'The id under which the hub is known there.', schema: textOf('a text') },
  oidcClientSecret: {
    doc: 'The secret that belongs to it.',
    schema: textOf('a text'),
    isSecret: true,
  },
  oidcName: {
    doc: 'What the provider is called on the sign-in page.',
    fallback: 'the host of the issuer',
    schema: textOf('a name').refine((name) => name.length <= 40, 'must be at most 40 characters long'),
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
  heartbeatUrl: {
    doc: 'An address that one node calls each minute while the hub is healthy, so that another service notices when it is not; inside the network of the hub only if privateTargets lists it.',
    fallback: 'none',
    schema: webAddress(isWeb, 'a web address such as https://monitor.example/ping/1234'),
  },
  releasesUrl: {
    doc: 'The address of the newest.json of the newest release, which one node reads once a day, to tell administrators of a newer one; inside the network of the hub only if privateTargets lists it. Without it the hub asks nobody.',
    fallback: 'none',
    schema: webAddress(isWeb, 'a web address such as https://releases.example/newest.json'),
  },
  productUrl: {
    doc: 'The target of the product link on the sign-in page.',
    fallback: 'the documentation that the hub serves',
    schema: webAddress(isWeb, 'a web address such as https://product.example'),
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
