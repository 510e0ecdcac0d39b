import { buildAgentWhenStale } from './build-agent.ts';
import { buildCliWhenStale } from './build-cli.ts';

/** Builds the agent and the command line for tests that start them; the builds start three times faster than the sources. */
export async function setup(): Promise<void> {
  await buildAgentWhenStale();
  await buildCliWhenStale();
}
