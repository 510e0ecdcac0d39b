import { X509Certificate } from 'node:crypto';
import { ConfigError } from './ConfigError.ts';
import type { Settings } from './keys.ts';

/** The NATS of a cluster. */
export interface NatsConfig {
  /** Hosts with ports. */
  readonly servers: readonly string[];
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  /** The text of the credentials file. */
  readonly credentials?: string;
  readonly isEncrypted: boolean;
  /** Certificates in PEM. */
  readonly authorities?: string;
}

type ReadText = (key: string, path: string) => string;

const defaultPort = 4222;

/** The NATS that the settings describe; undefined without a URL. Throws a `ConfigError` if a file cannot be used, or belongs to no URL. */
export function natsOf(settings: Settings, readText: ReadText): NatsConfig | undefined {
  const { natsUrl, natsCredentialsFile, natsCaFile } = settings;
  if (natsUrl === undefined) {
    const other = natsCredentialsFile === undefined ? natsCaFile && 'CA' : 'CREDENTIALS';
    if (other === undefined || other === '') return undefined;
    throw new ConfigError(`CORRAL_NATS_URL is missing: CORRAL_NATS_${other}_FILE is set without it.`);
  }
  const urls = natsUrl.map((url) => new URL(url));
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? defaultPort : port}`),
    isEncrypted: urls.some(({ protocol }) => protocol === 'tls:'),
    ...userOf(urls),
    ...(natsCredentialsFile === undefined
      ? {}
      : { credentials: readText('CORRAL_NATS_CREDENTIALS_FILE', natsCredentialsFile) }),
    ...(natsCaFile === undefined ? {} : { authorities: readAuthorities(natsCaFile, readText) }),
  };
}

/** The user of the first server that has one, since the servers of one NATS share their users; a name without a password is a token. */
function userOf(urls: readonly URL[]): Pick<NatsConfig, 'user' | 'password' | 'token'> {
  const url = urls.find(({ username }) => username !== '');
  if (url === undefined) return {};
  const [name, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return password === '' ? { token: name } : { user: name, password };
}

function readAuthorities(path: string, readText: ReadText): string {
  const text = readText('CORRAL_NATS_CA_FILE', path);
  try {
    new X509Certificate(text).toString();
    return text;
  } catch {
    throw new ConfigError(`CORRAL_NATS_CA_FILE: ${path} is not a certificate in PEM.`);
  }
}
