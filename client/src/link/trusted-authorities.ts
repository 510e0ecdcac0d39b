/** The parts of `node:tls` that are used; older Nodes cannot read the system's authorities. */
export interface TlsModule {
  readonly rootCertificates: readonly string[];
  readonly getCACertificates?: (which: 'default' | 'system') => string[];
}

/** The sources of trusted certificate authorities. */
export interface AuthorityParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tls: TlsModule;
  /** Reads a text file; throws when it cannot. */
  readonly readFile: (path: string) => string;
  /** Whether the system has a store of authorities; Node.js writes a line about one that is missing. */
  readonly hasSystemStore: boolean;
}

/**
 * The certificate authorities to trust for the hub's certificate, in PEM: those of the system and of Node.js, or in place of both those in the file
 * SSL_CERT_FILE; in addition those in the file NODE_EXTRA_CA_CERTS. Throws an Error that names the variable when a file cannot be read.
 */
export function trustedAuthorities({ env, tls, readFile, hasSystemStore }: AuthorityParts): string[] {
  const named = (key: string): string[] => (env[key] ? [read(key, env[key], readFile)] : []);
  const replacement = named('SSL_CERT_FILE');
  const base = replacement.length > 0 ? replacement : defaultAuthorities(tls, hasSystemStore);
  return [...new Set([...base, ...named('NODE_EXTRA_CA_CERTS')])];
}

function defaultAuthorities(
  { getCACertificates, rootCertificates }: TlsModule,
  hasSystemStore: boolean,
): string[] {
  if (getCACertificates === undefined) return [...rootCertificates];
  return [...getCACertificates('default'), ...(hasSystemStore ? getCACertificates('system') : [])];
}

function read(key: string, path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch (cause) {
    throw new Error(`${key}: the file ${path} cannot be read.`, { cause });
  }
}
