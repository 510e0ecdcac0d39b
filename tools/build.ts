// Builds the console, the agent and the command line, which the hub serves, if they are missing or stale.
import { buildAgentWhenStale } from './build-agent.ts';
import { buildCliWhenStale } from './build-cli.ts';
import { buildConsoleWhenStale } from './build-console.ts';

try {
  await buildAgentWhenStale();
  await buildCliWhenStale();
  await buildConsoleWhenStale();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
