const loopback = /^(localhost|\[::1\]|127\.[\d.]+)$/u;

/** Where the hub serves the agent. */
export const agentFile = '/download/corral-agent.mjs';

/** Whether the hub at `origin` is another machine that is reached by plain http, which programs want to be told is meant. */
export function isPlainElsewhere(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !loopback.test(hostname);
}

/** The one command that fetches the agent from the hub at `origin` and connects the device by `token`. */
export function agentCommand(origin: string, token: string): string {
  const run = `node corral-agent.mjs run --hub-url ${origin} --token ${token}`;
  const plain = isPlainElsewhere(origin) ? ' --allow-plain-http' : '';
  return `curl -fsSO ${origin}${agentFile} && ${run}${plain}`;
}
