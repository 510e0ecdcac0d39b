import { isLoopbackHost } from '@corral/contract';

/** The path at which the hub serves the agent. */
export const agentFile = '/download/corral-agent.mjs';

/** Whether `origin` is plain http to another machine, which agent and command line accept only with --allow-plain-http. */
export function isRemotePlainHttp(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

/** The command that downloads the agent and enrols the device. `token` travels in the environment: others can read arguments. */
export function agentCommand(origin: string, token: string): string {
  const run = `CORRAL_AGENT_TOKEN=${token} node corral-agent.mjs run --hub-url ${origin}`;
  const flag = isRemotePlainHttp(origin) ? ' --allow-plain-http' : '';
  return `curl -fsSO ${origin}${agentFile} && ${run}${flag}`;
}
