import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { proxyFor, type ProxyEnvironment } from './proxy.ts';

/** Sends requests over TLS. */
export interface SecureRequests {
  /** Creates a request without sending it. Throws a ConnectError when the proxy for it cannot be used. */
  request(url: string | URL, options: object, onAnswer?: (answer: IncomingMessage) => void): ClientRequest;
  /** Closes kept connections. */
  close(): void;
}

/** The agent for one connection to a server, through the proxy that the environment names for it. Throws a ConnectError when that cannot be used. */
export function secureAgent(url: string, env: ProxyEnvironment): Agent {
  const proxy = proxyFor(new URL(url), env);
  return new Agent(proxy === undefined ? {} : { proxyEnv: { HTTPS_PROXY: proxy.href } });
}

/** Requests go through the proxy that the environment names for their host, if any, which sees TLS alone; errors then name it. */
export function secureRequests(env: ProxyEnvironment, keepAlive = false): SecureRequests {
  const direct = new Agent({ keepAlive });
  let proxied: Agent | undefined;
  return {
    request(url, options: RequestOptions, onAnswer) {
      const proxy = proxyFor(new URL(url), env);
      if (proxy === undefined) return httpsRequest(url, { ...options, agent: direct }, onAnswer);
      proxied ??= new Agent({ keepAlive, proxyEnv: { HTTPS_PROXY: proxy.href } });
      const request = httpsRequest(url, { ...options, agent: proxied }, onAnswer);
      const named = { proxy: `${proxy.protocol}//${proxy.host}` };
      return request.on('error', (error) => Object.assign(error, named));
    },
    close() {
      direct.destroy();
      proxied?.destroy();
    },
  };
}
