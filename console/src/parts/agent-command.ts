const loopback = /^(localhost|\[::1\]|127\.[\d.]+)$/u;

/** The path at which the hub serves the agent. */
export const agentFile = '/download/corral-agent.mjs';

/** Whether `origin` is plain http to another machine, which agent and command line accept only with --allow-plain-http. */
export function isRemotePlainHttp(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !loopback.test(hostname);
}

/** The command that downloads the agent from the hub at `origin` and enrols the device with `token`. */
export function agentCommand(origin: string, token: string): string {
  const run = `node corral-agent.mjs run --hub-url ${origin} --token ${token}`;
  const flag = isRemotePlainHttp(origin) ? ' --allow-plain-http' : '';
  return `curl -fsSO ${origin}${agentFile} && ${run}${flag}`;
}
