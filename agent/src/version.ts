import { readFileSync } from 'node:fs';

declare const corralVersion: string | undefined;

/** The version that the build inserted, else that of the package. */
export function version(): string {
  if (typeof corralVersion === 'string') return corralVersion;
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}
