import type { BenchUser } from './bench-hub.ts';
import { startProgram } from './processes.ts';

/** A device that is run by the agent's own program. */
export interface BenchAgent {
  readonly deviceId: string;
  stop(): Promise<void>;
}

/** A deployment token that lets devices into the project at once. */
export async function newDeviceToken({ executor, projectId }: BenchUser): Promise<string> {
  const flags = { autoAccept: true };
  const { token } = await executor.invoke('projects_CreateDeploymentToken', {
    projectId,
    name: 'bench',
    flags,
  });
  return token;
}

/** Starts an agent and waits until it is connected; `env` says whom it trusts. */
export async function startBenchAgent(
  hubUrl: string,
  token: string,
  stateDir: string,
  env: Record<string, string> = {},
): Promise<BenchAgent> {
  const agent = startProgram('agent/bin/corral-agent.cjs', ['run'], {
    CORRAL_AGENT_HUB_URL: hubUrl,
    CORRAL_AGENT_TOKEN: token,
    CORRAL_AGENT_STATE: stateDir,
    ...env,
  });
  return { deviceId: await agent.said(/connected to .* as (d_\w+)/), stop: agent.stop };
}
