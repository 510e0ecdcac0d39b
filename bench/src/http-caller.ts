import { Agent, request } from 'node:http';

/** Posts JSON over keep-alive connections, one for each caller; used for Corral and its anchor. */
export function httpCaller(url: string, headers: Record<string, string>, callers: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  return {
    post: (path: string, body: unknown): Promise<string> =>
      post(agent, url + path, headers, JSON.stringify(body)),
    close: () => agent.destroy(),
  };
}

function post(agent: Agent, url: string, headers: Record<string, string>, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const all = { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { agent, method: 'POST', headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url} answered ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
