import { get, request } from 'node:http';
import { openLink, type Executor } from '@corral/client';
import type { Id } from '@corral/contract';
import type { BenchUser } from '../bench-hub.ts';
import { echoPort, pagePort, ticker } from './echo-device.ts';

const password = 'quiet harbour lantern 7';

/** A user who is a member of the project. */
export interface Person {
  readonly userId: Id<'user'>;
  readonly email: string;
  readonly password: string;
}

/** Creates a member of the project; `admin` is a session of an administrator. */
export async function newPerson(admin: Executor, { projectId }: BenchUser, email: string): Promise<Person> {
  const made = await admin.invoke('users_CreateUser', { email, password });
  if (made.result !== 'Created') throw new Error(`There is a user ${email} already.`);
  await admin.invoke('projects_AddProjectMember', { projectId, userId: made.userId });
  return { userId: made.userId, email, password };
}

/** An open connection or answer, and when it ended, by `performance.now()`. */
export interface OpenAccess {
  readonly ended: Promise<number>;
  close(): void;
}

const end = (ended: Promise<unknown>): Promise<number> => ended.then(() => performance.now());

/** A command line with an open forward to a device. */
export async function openCommandLine(
  url: string,
  token: string,
  deviceId: string,
): Promise<{ readonly link: OpenAccess; readonly forward: OpenAccess }> {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-user-token': token,
    'x-register-connection': 'true',
  };
  const connection = await openLink({ hubUrl: url, headers, request });
  ticker.add(connection);
  void connection.closed.then(() => ticker.remove(connection));
  const channel = await connection.openChannel(`device/${deviceId}/proxy/forward/tcp/${echoPort}`);
  await channel.write(Buffer.from('there?'));
  await channel.read();
  const close = (): void => connection.close('');
  return { link: { ended: end(connection.closed), close }, forward: { ended: end(channel.closed), close } };
}

/** A live view, or a page of a device, whose answer does not end by itself. `onText` gets the text that arrives. */
export function openAnswer(
  url: string,
  headers: Record<string, string>,
  onText: (text: string) => void = () => undefined,
): Promise<OpenAccess> {
  return new Promise((resolve, reject) => {
    const outgoing = get(url, { headers, agent: false }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}.`));
      const ended = new Promise<void>((done) => answer.on('error', () => undefined).once('close', done));
      answer.setEncoding('utf8').on('data', onText);
      answer.once('data', () => resolve({ ended: end(ended), close: () => void outgoing.destroy() }));
    });
    outgoing.on('error', reject);
  });
}

/** A page of a device through a hub, entered by a one-time address as browsers do. */
export async function openPage(
  hubUrl: string,
  executor: Executor,
  deviceId: Id<'device'>,
): Promise<OpenAccess> {
  const { url } = await executor.invoke('devices_IssueDeviceHttpProxyToken', { deviceId, port: pagePort });
  const { host, pathname, search } = new URL(url);
  const cookie = await new Promise<string>((resolve, reject) => {
    const outgoing = get(`${hubUrl}${pathname}${search}`, { headers: { host }, agent: false }, (answer) => {
      answer.resume();
      const [first] = answer.headers['set-cookie'] ?? [];
      if (first === undefined) reject(new Error(`The page could not be opened: ${answer.statusCode}.`));
      else resolve(first.split(';')[0] ?? '');
    });
    outgoing.on('error', reject);
  });
  return openAnswer(`${hubUrl}/live`, { host, cookie });
}
