// One line of JSON on standard input, with devices to connect; after each further line all of them claim work.
import { createInterface } from 'node:readline';
import { Ticker } from '@corral/client';
import { connectLightAgent, type LightAgent } from './light-agent.ts';

/** What the process is told first. */
export interface LightAgentsCommand {
  readonly url: string;
  /** Headers of all connections. */
  readonly headers: Record<string, string>;
  readonly devices: readonly { readonly deviceId: string; readonly fingerprint: string }[];
}

const connectedAtOnce = 12;
const ticker = new Ticker();
const agents: LightAgent[] = [];

async function connectAll({ url, headers, devices }: LightAgentsCommand): Promise<void> {
  const queue = devices.values();
  const connect = async (): Promise<void> => {
    for (const { deviceId, fingerprint } of queue)
      agents.push(
        await connectLightAgent({
          url,
          headers: { ...headers, 'x-device-fingerprint': fingerprint },
          deviceId,
          ticker,
        }),
      );
  };
  await Promise.all(Array.from({ length: connectedAtOnce }, connect));
  process.stdout.write(`connected ${agents.length}\n`);
}

for await (const line of createInterface(process.stdin))
  if (agents.length === 0) await connectAll(JSON.parse(line) as LightAgentsCommand);
  else {
    for (const agent of agents) agent.claim().catch(() => undefined);
    process.stdout.write(`claiming ${agents.length}\n`);
  }
// Whoever started it has ended, or has failed before it could stop this.
process.exit();
