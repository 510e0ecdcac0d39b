import { httpExecutor, type Executor } from '@corral/client';
import type { Id } from '@corral/contract';
import { startProgram, type Program } from './processes.ts';

/** The first administrator of the hubs. */
export const administrator = { email: 'bench@example.org', password: 'gate-latch-and-rail' };

/** A hub in a process of its own, as operators run it. */
export interface BenchHub {
  readonly url: string;
  readonly program: Program;
  /** From the start of the process to its ready message. */
  readonly readyAfterMs: number;
}

/** Starts a hub on a free port; `env` names its data folder or database. */
export async function startBenchHub(env: Record<string, string>): Promise<BenchHub> {
  const startedAt = performance.now();
  const program = startProgram('hub/src/main.ts', [], {
    CORRAL_PORT: '0',
    // The whole fleet connects from this machine.
    CORRAL_MAX_CONNECTIONS: '19000',
    CORRAL_MAX_CONNECTIONS_PER_ADDRESS: '19000',
    CORRAL_LOG_LEVEL: 'warn',
    CORRAL_LOG_FORMAT: 'json',
    CORRAL_ADMIN_EMAIL: administrator.email,
    CORRAL_ADMIN_PASSWORD: administrator.password,
    ...env,
  });
  const url = await program.waitForLine(/Corral is ready: (\S+)/);
  return { url, program, readyAfterMs: performance.now() - startedAt };
}

/** An administrator with a user token and a project. */
export interface BenchUser {
  readonly executor: Executor;
  readonly token: string;
  /** Where the hub is. */
  readonly url: string;
  /** The session cookie, as `name=value`. */
  readonly cookie: string;
  readonly userId: Id<'user'>;
  readonly projectId: Id<'project'>;
}

/** A session at one hub. */
export interface Session {
  /** The cookie, as `name=value`. */
  readonly cookie: string;
  readonly executor: Executor;
}

/** Signs a user in at a hub, by default the administrator. For ten minutes the session may do what takes a proof. */
export async function signIn(
  url: string,
  { email, password }: { readonly email: string; readonly password: string } = administrator,
): Promise<Session> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ email, password, remember: false });
  const answer = await fetch(`${url}/api/private/login`, { method: 'POST', headers, body });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined)
    throw new Error(`${email} could not sign in: ${answer.status} ${await answer.text()}`);
  const executor = httpExecutor({
    baseUrl: url,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...headers, cookie } }),
  });
  return { cookie, executor };
}

/** Signs the administrator in and creates a user token and a project. */
export async function prepareUser(url: string): Promise<BenchUser> {
  const { cookie, executor: session } = await signIn(url);
  const { actor } = await session.invoke('actor_GetActor', {});
  if (actor.actor !== 'User') throw new Error('The administrator could not sign in.');
  // A load of commands adds more rows to the audit log than a user may within an hour.
  await session.invoke('instance_SetInstanceSettingRaw', {
    key: 'recordedRowsPerHour',
    value: 1_000_000_000,
  });
  const { token } = await session.invoke('users_CreateUserToken', { userId: actor.userId, name: 'bench' });
  const { projectId } = await session.invoke('projects_CreateProject', { name: 'Bench' });
  return {
    executor: httpExecutor({ baseUrl: url, token }),
    token,
    url,
    cookie,
    userId: actor.userId,
    projectId: projectId as Id<'project'>,
  };
}

/** The same user, who calls another hub of the cluster. */
export function userAt(user: BenchUser, url: string): BenchUser {
  return { ...user, url, executor: httpExecutor({ baseUrl: url, token: user.token }) };
}
