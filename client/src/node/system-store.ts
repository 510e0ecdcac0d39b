import { existsSync } from 'node:fs';

/** Whether Node.js finds a store of authorities in the system; other systems than Linux have one. */
export function hasSystemStore(env: Readonly<Record<string, string | undefined>>): boolean {
  return process.platform !== 'linux' || existsSync(env['SSL_CERT_DIR'] || '/etc/ssl/certs');
}
