// Builds what the hub serves, the console and the agent, where it is missing or stale.
import { buildAgentWhenStale } from './build-agent.ts';
import { buildConsoleWhenStale } from './build-console.ts';

try {
  await buildAgentWhenStale();
  await buildConsoleWhenStale();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
