import type { BenchUser } from './bench-hub.ts';
import { startProgram } from './processes.ts';

/** A device that runs the agent's program. */
export interface BenchAgent {
  readonly deviceId: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Creates a deployment token that accepts new devices automatically. */
export async function newDeviceToken({ executor, projectId }: BenchUser): Promise<string> {
  const flags = { autoAccept: true };
  const { token } = await executor.invoke('projects_CreateDeploymentToken', {
    projectId,
    name: 'bench',
    flags,
  });
  return token;
}

/** Starts an agent and waits until it is connected; `env` names the certificate authorities that it trusts. */
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
  const { pid, stop } = agent;
  return { deviceId: await agent.waitForLine(/connected to .* as (d_\w+)/), pid, stop };
}
