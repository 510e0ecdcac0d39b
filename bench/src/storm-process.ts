import { createInterface } from 'node:readline';
import { request } from 'node:http';
import { ConnectError, openLink, Ticker } from '@corral/client';

/** One line of JSON on standard input: devices that connect at once. */
export interface StormCommand {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly fingerprints: readonly string[];
}

const ticker = new Ticker();
let refusals = 0;

/** Retries after Retry-After of the hub, or after 1–2 s without an answer. */
async function connect({ url, headers }: StormCommand, fingerprint: string): Promise<void> {
  for (;;) {
    try {
      const own = { ...headers, 'x-device-fingerprint': fingerprint };
      ticker.add(await openLink({ hubUrl: url, headers: own, request }));
      return;
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      refusals += 1;
      const waitMs = error.retryAfterMs ?? 1_000 + Math.random() * 1_000;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

for await (const text of createInterface(process.stdin)) {
  const command = JSON.parse(text) as StormCommand;
  const startedAt = performance.now();
  const tookMs: number[] = [];
  const one = async (fingerprint: string): Promise<void> => {
    await connect(command, fingerprint);
    tookMs.push(performance.now() - startedAt);
  };
  await Promise.all(command.fingerprints.map(one));
  const p50Secs = (tookMs[Math.floor(tookMs.length / 2)] ?? 0) / 1_000;
  const allSecs = (tookMs.at(-1) ?? 0) / 1_000;
  process.stdout.write(`connected ${JSON.stringify({ p50Secs, allSecs, refusals })}\n`);
}
