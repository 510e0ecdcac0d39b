import { createInterface } from 'node:readline';
import { abuses, startAbuser, type Abuser, type AbuseName } from '@corral/fuzz';

/** One line of JSON on standard input starts the abusers; an empty line stops them. */
export interface AbuseCommand {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly fingerprints: readonly string[];
  /** The kinds of abuse, each in turn; all kinds when empty. */
  readonly names: readonly AbuseName[];
}

let abusers: Abuser[] = [];

/** Rotates the list, so that each abuser begins with another kind. */
function rotated(names: readonly AbuseName[], by: number): AbuseName[] {
  const from = by % names.length;
  return [...names.slice(from), ...names.slice(0, from)];
}

function start({ url, headers, fingerprints, names }: AbuseCommand): void {
  const all = names.length === 0 ? (Object.keys(abuses) as AbuseName[]) : names;
  abusers = fingerprints.map((fingerprint, index) =>
    startAbuser(url, { ...headers, 'x-device-fingerprint': fingerprint }, rotated(all, index)),
  );
}

async function stop(): Promise<void> {
  const connections = abusers.reduce((sum, abuser) => sum + abuser.connections, 0);
  const endings = abusers.reduce((sum, abuser) => sum + abuser.endings, 0);
  await Promise.all(abusers.map((abuser) => abuser.stop()));
  process.stdout.write(`stopped ${JSON.stringify({ connections, endings })}\n`);
}

for await (const line of createInterface(process.stdin)) {
  if (line === '') await stop();
  else start(JSON.parse(line) as AbuseCommand);
}
