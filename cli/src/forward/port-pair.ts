import { CliError, exitCodes } from '../CliError.ts';

/** A local port and the port of a device that it is forwarded to. */
export interface PortPair {
  /** 0 selects a free port. */
  readonly localPort: number;
  readonly devicePort: number;
}

/** Parses several of `LOCAL:REMOTE`, each local port but 0 at most once. Throws a CliError. */
export function parsePortPairs(texts: readonly string[]): PortPair[] {
  const pairs = texts.map(parsePortPair);
  const taken = new Set<number>();
  for (const { localPort } of pairs) {
    if (taken.has(localPort))
      throw new CliError(`Port ${localPort} of this machine is named twice.`, exitCodes.usage);
    if (localPort !== 0) taken.add(localPort);
  }
  return pairs;
}

function parsePortPair(text: string): PortPair {
  const [, local = '', remote = ''] = /^(\d{1,5}):(\d{1,5})$/.exec(text) ?? [];
  const pair = { localPort: Number(local), devicePort: Number(remote) };
  if (remote === '' || pair.localPort > 65_535 || pair.devicePort > 65_535 || pair.devicePort === 0)
    throw new CliError(
      `${text} must be LOCAL:REMOTE, two port numbers, such as 8080:80; 0 as the local one takes any that is free.`,
      exitCodes.usage,
    );
  return pair;
}
