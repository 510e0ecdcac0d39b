import { createInterface } from 'node:readline';
import {
  abuses,
  httpAbuses,
  startAbuser,
  startHttpAbuser,
  type AbuseName,
  type HttpAbuseName,
  type HttpCredentials,
} from '@corral/fuzz';

/** One line of JSON on standard input starts the abusers; an empty line stops them. */
export interface AbuseCommand {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly fingerprints: readonly string[];
  readonly who: HttpCredentials;
  /** The kind of abuse; all kinds, each in turn, if absent. */
  readonly name?: AbuseName | HttpAbuseName;
}

interface Running {
  readonly connections: number;
  readonly endings?: number;
  stop(): Promise<void>;
}

/** How many clients abuse the HTTP interface at the same time, beside one device for each fingerprint. */
const httpAbusers = 20;
let abusers: Running[] = [];

/** Rotates the list, so that each abuser begins with another kind. */
function rotated<Name>(names: readonly Name[], by: number): Name[] {
  const from = by % names.length;
  return [...names.slice(from), ...names.slice(0, from)];
}

/** All kinds of one family, or the one that is named; none where the name is of the other family. */
function kindsOf<Name extends string>(all: Record<Name, unknown>, name: string | undefined): Name[] {
  const names = Object.keys(all) as Name[];
  return name === undefined ? names : names.filter((known) => known === name);
}

function start({ url, headers, fingerprints, who, name }: AbuseCommand): void {
  const [byLink, byHttp] = [kindsOf(abuses, name), kindsOf(httpAbuses, name)];
  const devices = byLink.length === 0 ? [] : fingerprints;
  const others = byHttp.length === 0 ? 0 : httpAbusers;
  abusers = [
    ...devices.map((fingerprint, index) =>
      startAbuser(url, { ...headers, 'x-device-fingerprint': fingerprint }, rotated(byLink, index)),
    ),
    ...Array.from({ length: others }, (_, index) => startHttpAbuser(url, who, rotated(byHttp, index))),
  ];
}

async function stop(): Promise<void> {
  const sum = (of: (abuser: Running) => number): number =>
    abusers.reduce((total, abuser) => total + of(abuser), 0);
  const connections = sum((abuser) => abuser.connections);
  const endings = sum((abuser) => abuser.endings ?? 0);
  await Promise.all(abusers.map((abuser) => abuser.stop()));
  process.stdout.write(`stopped ${JSON.stringify({ connections, endings })}\n`);
}

for await (const line of createInterface(process.stdin)) {
  if (line === '') await stop();
  else start(JSON.parse(line) as AbuseCommand);
}
