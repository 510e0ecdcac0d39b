import { join } from 'node:path';
import { repositoryRoot } from './source-files.ts';

/**
 * The environment of `npm run dev`: the hub listens on loopback at CORRAL_PORT, 8080 by default, and keeps its data apart from that of `npm start`
 * unless CORRAL_DATA_DIR names a folder. Throws an Error with one sentence for an invalid port.
 */
export function devEnvironment(
  { CORRAL_PORT: port, CORRAL_DATA_DIR: dataDir }: NodeJS.ProcessEnv,
  isRoot: boolean,
) {
  const hubPort = port || '8080';
  if (!/^[1-9]\d{0,4}$/.test(hubPort) || Number(hubPort) > 65_535)
    throw new Error(
      'CORRAL_PORT must be a whole number from 1 to 65535: the console with hot reload asks there.',
    );
  return {
    CORRAL_HOST: '127.0.0.1',
    CORRAL_PORT: hubPort,
    CORRAL_DATA_DIR: dataDir || (isRoot ? '/var/lib/corral-dev' : join(repositoryRoot, 'corral-data-dev')),
    CORRAL_DEV_HUB: `http://127.0.0.1:${hubPort}`,
  };
}
