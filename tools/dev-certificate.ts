// `npm run dev-certificate [folder]`: writes the certificates with which a hub on this machine serves TLS.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeDevelopmentCertificates } from './dev-authority.ts';

/** Creates a folder and its parents. Node's own `recursive` option never returns where folders cannot exist, as below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function replaceFile(path: string, text: string, mode: number): void {
  // Overwriting would keep the old mode, and the key must never be readable by others.
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode, flag: 'wx' });
}

async function main(words: string[]): Promise<string> {
  if (words.length > 1 || words[0]?.startsWith('-'))
    throw new Error('Give at most one argument: the folder for the files.');
  const folder = resolve(words[0] ?? 'corral-data/tls');
  const certificates = await makeDevelopmentCertificates(new Date());
  makeFolder(folder);
  replaceFile(join(folder, 'ca.pem'), certificates.authority, 0o644);
  replaceFile(join(folder, 'hub-certificate.pem'), certificates.certificate, 0o644);
  replaceFile(join(folder, 'hub-key.pem'), certificates.key, 0o600);
  return `Certificates for localhost, 127.0.0.1 and ::1, valid for a year, are in ${folder}.

Start the hub with them:
  CORRAL_TLS_CERT='${folder}/hub-certificate.pem' CORRAL_TLS_KEY='${folder}/hub-key.pem' npm start

Let clients trust them:
  SSL_CERT_FILE='${folder}/ca.pem' NODE_EXTRA_CA_CERTS='${folder}/ca.pem' corral-agent run

They are for development alone.
`;
}

try {
  process.stdout.write(await main(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(
    `No certificate was made: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
