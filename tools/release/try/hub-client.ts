import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';

/** Calls the hub as a signed-in user, through a proxy at an address. */
export interface HubClient {
  /** Rejects when it is not acknowledged. */
  invoke<Output>(action: string, input: unknown): Promise<Output>;
}

/** Where a proxy is reached. */
export interface ProxyAddress {
  readonly address: string;
  readonly host: string;
  readonly ca: string;
}

/** Longer than a hub takes to answer, and shorter than a connection to a killed one lasts. */
const timeoutMs = 10_000;

/** Signs in. Rejects when the hub does not accept it. */
export async function signInAt(
  proxy: ProxyAddress,
  email: string,
  password: string,
): Promise<HubClient & { readonly userId: string }> {
  const agent = new Agent({ keepAlive: true, ca: proxy.ca, servername: proxy.host });
  const post = async (path: string, body: unknown, cookie = ''): Promise<[cookies: string[], text: string]> =>
    new Promise((resolve, reject) => {
      const headers = { host: proxy.host, 'content-type': 'application/json', cookie };
      const sent = request(
        {
          agent,
          host: proxy.address,
          path,
          method: 'POST',
          timeout: timeoutMs,
          headers: { ...headers, origin: `https://${proxy.host}`, 'sec-fetch-site': 'same-origin' },
        },
        (answer) => {
          text(answer).then((content) => {
            if (answer.statusCode === 200) resolve([answer.headers['set-cookie'] ?? [], content]);
            else reject(new Error(`${path} answered ${answer.statusCode}: ${content}`));
          }, reject);
        },
      );
      sent.on('error', reject).on('timeout', () => sent.destroy(new Error(`${path} was not answered.`)));
      sent.end(JSON.stringify(body));
    });
  const [cookies] = await post('/api/private/login', { email, password, remember: false });
  const cookie = cookies[0]?.split(';')[0] ?? '';
  const invoke = async <Output>(action: string, input: unknown): Promise<Output> =>
    JSON.parse((await post(`/api/v1/actions/invoke/${action}`, input, cookie))[1]) as Output;
  const { actor } = await invoke<{ actor: { userId: string } }>('actor_GetActor', {});
  return { userId: actor.userId, invoke };
}
