const loopback = /^(localhost|\[::1\]|127\.[\d.]+)$/u;

/**
 * The one command that fetches the agent from the hub at `origin` and connects the device by `token`. Over plain http to
 * another machine the agent wants to be told that this is meant.
 */
export function agentCommand(origin: string, token: string): string {
  const { protocol, hostname } = new URL(origin);
  const isPlain = protocol === 'http:' && !loopback.test(hostname);
  const run = `node corral-agent.mjs run --hub-url ${origin} --token ${token}`;
  return `curl -fsSO ${origin}/download/corral-agent.mjs && ${run}${isPlain ? ' --allow-plain-http' : ''}`;
}
