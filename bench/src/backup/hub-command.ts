import { peakBytes, startProgram } from '../processes.ts';

/** How a command of the hub ended. */
export interface EndedCommand {
  readonly code: number | null;
  readonly output: string;
  readonly seconds: number;
  /** The most memory that its process had, without a database that it started. */
  readonly peakBytes: number;
}

const sampleEveryMs = 50;

/** Runs `corral-hub` with arguments, as operators do. */
export async function hubCommand(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<EndedCommand> {
  const startedAt = performance.now();
  const program = startProgram('hub/src/main.ts', args, env);
  let peak = 0;
  const sampling = setInterval(() => (peak = Math.max(peak, peakBytes(program.pid) ?? 0)), sampleEveryMs);
  const ended = await program.ended().finally(() => clearInterval(sampling));
  return { ...ended, seconds: (performance.now() - startedAt) / 1_000, peakBytes: peak };
}

/** The same, for a command that must succeed. */
export async function successOf(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<EndedCommand> {
  const ended = await hubCommand(args, env);
  if (ended.code !== 0)
    throw new Error(`corral-hub ${args.join(' ')} ended with ${ended.code}:\n${ended.output}`);
  return ended;
}
