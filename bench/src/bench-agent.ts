import { startProgram } from './processes.ts';
import type { Site } from './site.ts';

/** A device of the site's project, run by the agent's own program. */
export interface BenchAgent {
  readonly deviceId: string;
  stop(): Promise<void>;
}

/** Starts an agent and waits until it is connected to the hub of now; `env` says whom it trusts. */
export async function startBenchAgent(
  { hub, user }: Site,
  stateDir: string,
  env: Record<string, string> = {},
): Promise<BenchAgent> {
  const { token } = await user.executor.invoke('projects_CreateDeploymentToken', {
    projectId: user.projectId,
    name: 'bench',
    flags: { autoAccept: true },
  });
  const agent = startProgram('agent/bin/corral-agent.cjs', ['run'], {
    CORRAL_AGENT_HUB_URL: hub.url,
    CORRAL_AGENT_TOKEN: token,
    CORRAL_AGENT_STATE: stateDir,
    ...env,
  });
  return { deviceId: await agent.said(/connected to .* as (d_\w+)/), stop: agent.stop };
}
