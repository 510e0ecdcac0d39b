/** What is used of the module `node:tls`; older Nodes cannot read the system's authorities. */
export interface TlsModule {
  readonly rootCertificates: readonly string[];
  readonly getCACertificates?: (which: 'default' | 'system') => string[];
}

/** What decides whom to believe about a hub's certificate. */
export interface AuthorityParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tls: TlsModule;
  /** Reads a text file; throws when it cannot. */
  readonly readFile: (path: string) => string;
}

/**
 * Whom to believe about the hub's certificate, in PEM: the system's authorities and those that Node.js brings along, or instead of both
 * those in the file that SSL_CERT_FILE names; and in any case those in the file that NODE_EXTRA_CA_CERTS names. Throws an Error that
 * names the variable when a file cannot be read.
 */
export function trustedAuthorities({ env, tls, readFile }: AuthorityParts): string[] {
  const named = (key: string): string[] => (env[key] ? [read(key, env[key], readFile)] : []);
  const instead = named('SSL_CERT_FILE');
  const usual = instead.length > 0 ? instead : usualAuthorities(tls);
  return [...new Set([...usual, ...named('NODE_EXTRA_CA_CERTS')])];
}

function usualAuthorities({ getCACertificates, rootCertificates }: TlsModule): string[] {
  if (getCACertificates === undefined) return [...rootCertificates];
  return [...getCACertificates('default'), ...getCACertificates('system')];
}

function read(key: string, path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch (cause) {
    throw new Error(`${key}: the file ${path} cannot be read.`, { cause });
  }
}
