import type { IncomingMessage } from 'node:http';
import { ActionError, type Id } from '@corral/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { OidcRefused } from '../../auth/oidc/OidcRefused.ts';
import type { Identity as ProviderIdentity } from '../../auth/oidc/provider.ts';
import type { ProviderSignIn, Purpose } from '../../auth/oidc/provider-sign-in.ts';
import { systemCaller } from '../../calls/handler.ts';
import { CountProviderSignIn } from '../../domains/identities/internal/CountProviderSignIn.ts';
import { EndProviderSessions } from '../../domains/identities/internal/EndProviderSessions.ts';
import { LinkIdentity } from '../../domains/identities/internal/LinkIdentity.ts';
import { NoteProviderTest } from '../../domains/identities/internal/NoteProviderTest.ts';
import { SignInByIdentity } from '../../domains/identities/internal/SignInByIdentity.ts';
import { StepUpByIdentity } from '../../domains/identities/internal/StepUpByIdentity.ts';
import { enterSession, renewedCookie } from './enter-session.ts';
import { anonymous, callerOf, checkSameOrigin, identifyReader, type HttpContext } from './identity.ts';
import { anonymousBodyBytes, readJson } from './invoke.ts';
import { providerSessionCookie } from './provider-session-cookie.ts';
import { jsonMediaType } from './responses.ts';

const maxUserAgentLength = 500;
/** It is carried in a cookie. */
const longestLinkToken = 1_000;

/** The path to which providers send browsers back. */
export const providerCallbackPath = '/api/private/login/callback';

/** The page that says so after a sign-out. */
export const signedOutPage = '/login?signedOut=true';

/** Where administrators set up the provider. */
const settingsPage = '/admin/settings';

/** Where people link their identities. */
const securityPage = '/settings/security';

/** Where people are shown what they were invited to. */
const invitationsPage = '/user/invitations';

/** Where the console says why a sign-in, or a link, did not succeed. */
const failurePage = (
  reason:
    | OidcRefused['reason']
    | ('Unknown' | 'Exists' | 'Invitation')
    | ('NotYours' | 'Taken' | 'Throttled'),
  page: '/login' | typeof securityPage | typeof settingsPage,
): string => `${page}?provider=${reason.toLowerCase()}`;

/** `POST /api/private/login/provider`, `…/invitation`, `…/link`, `…/test` and `/api/private/step-up/provider`, which lead to the provider, and the page to which it sends the browser back. */
export function addProviderSignIn(
  server: FastifyInstance,
  context: HttpContext,
  signIn: ProviderSignIn,
): void {
  const attributes = `; Path=${providerCallbackPath}; HttpOnly; ${context.config.isInsecure ? '' : 'Secure; '}SameSite=Lax`;
  const lead: Lead = async (reply, purpose) => {
    const begun = await signIn.begin(purpose).catch((error: unknown) => {
      throw error instanceof OidcRefused ? new ActionError('NotReady', error.message) : error;
    });
    if (begun === undefined) throw new ActionError('Invalid', 'No provider is set up on this hub.');
    const { name, value, maxAgeSecs } = begun.cookie;
    reply.header('set-cookie', `${name}=${value}; Max-Age=${maxAgeSecs}${attributes}`);
    reply.type(jsonMediaType);
    return JSON.stringify({ url: begun.url.href });
  };

  server.post('/api/private/login/provider', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    const body = await readJson(request.raw, { maxBytes: anonymousBodyBytes, isAnonymous: true });
    await count(context, request.raw);
    return lead(reply, { returnTo: pathOf((body as { redirect?: unknown } | undefined)?.redirect) });
  });

  server.post('/api/private/login/provider/invitation', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    const body = await readJson(request.raw, { maxBytes: anonymousBodyBytes, isAnonymous: true });
    const { invitationToken } = (body ?? {}) as { invitationToken?: unknown };
    if (typeof invitationToken !== 'string' || invitationToken.length > longestLinkToken)
      throw new ActionError('Invalid', 'The invitation is missing.');
    await count(context, request.raw);
    return lead(reply, { returnTo: invitationsPage, invitationToken });
  });

  addSessionRoutes(server, context, lead);
  addProviderLogout(server, context, signIn);

  server.get(providerCallbackPath, async (request, reply) => {
    const query = new URL(request.raw.url ?? '', 'http://hub').search;
    const name = signIn.cookieOf(query);
    const cookie = new RegExp(`(?:^|;)[ \\t]*${name}=([^;]*)`).exec(request.raw.headers.cookie ?? '')?.[1];
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    const cookies = [`${name}=; Max-Age=0${attributes}`];
    const to = await finish(context, signIn, request.raw, { cookie, query, cookies, reply });
    reply.header('set-cookie', cookies);
    return reply.redirect(to, 303);
  });
}

/** Leads a browser to the provider. */
type Lead = (reply: FastifyReply, purpose: Parameters<ProviderSignIn['begin']>[0]) => Promise<string>;

/** What leads somebody in a session to the provider: to link an identity, to test the settings, or to confirm who it is. */
function addSessionRoutes(server: FastifyInstance, context: HttpContext, lead: Lead): void {
  server.post('/api/private/login/provider/link', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    await readJson(request.raw, { maxBytes: anonymousBodyBytes, isAnonymous: true });
    const sessionId = await steppedUpSession(context, request.raw);
    return lead(reply, { returnTo: securityPage, linksSessionId: sessionId });
  });

  server.post('/api/private/login/provider/test', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    await readJson(request.raw, { maxBytes: anonymousBodyBytes, isAnonymous: true });
    const sessionId = await steppedUpSession(context, request.raw);
    return lead(reply, { returnTo: settingsPage, testsSessionId: sessionId });
  });

  server.post('/api/private/step-up/provider', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    await readJson(request.raw, { maxBytes: anonymousBodyBytes, isAnonymous: true });
    const { sessionId } = await identifyReader(context, request.raw);
    if (sessionId === undefined) throw new ActionError('NotSignedIn', 'Sign in first.');
    await count(context, request.raw);
    return lead(reply, { returnTo: securityPage, confirmsSessionId: sessionId });
  });
}

/** `POST /api/private/logout/provider`, by which the provider says that a session there has ended (OpenID Connect Back-Channel Logout). */
function addProviderLogout(server: FastifyInstance, context: HttpContext, signIn: ProviderSignIn): void {
  server.post('/api/private/logout/provider', async (request, reply) => {
    reply.header('cache-control', 'no-store').type(jsonMediaType);
    const token = new URLSearchParams(await readForm(request.raw)).get('logout_token') ?? '';
    return endSessions(context, signIn, token, request.raw).catch((error: unknown) => {
      if (!(error instanceof OidcRefused)) throw error;
      context.log.info({ err: error.cause, reason: error.reason }, 'a logout token was refused');
      return reply.code(400).send(JSON.stringify({ error: 'invalid_request' }));
    });
  });
}

interface Answer {
  readonly cookie: string | undefined;
  readonly query: string;
  /** The cookies that are set. */
  readonly cookies: string[];
  readonly reply: FastifyReply;
}

async function finish(
  context: HttpContext,
  signIn: ProviderSignIn,
  request: IncomingMessage,
  { cookie, query, cookies, reply }: Answer,
): Promise<string> {
  const hasSession = context.cookie.read(request.headers.cookie) !== undefined;
  const page = pageOf(signIn.purposeOf(cookie), hasSession);
  try {
    if (cookie !== undefined) await count(context, request);
    const { identity, purpose, clientId, signOutHint } = await signIn.finish(cookie, query);
    if (purpose.testsSessionId !== undefined)
      return await noteTest(context, request, { issuer: identity.issuer, clientId }, purpose.testsSessionId);
    if (purpose.linksSessionId !== undefined)
      return await link(context, request, identity, purpose.linksSessionId);
    if (purpose.confirmsSessionId !== undefined)
      return await confirm(context, request, identity, {
        confirmsSessionId: purpose.confirmsSessionId,
        cookies,
      });
    const answer = await signInAs(context, request, identity, purpose.invitationToken);
    if (answer.result === 'Refused') return failurePage(answer.reason, page);
    if (answer.isUnsaid)
      context.log.info({}, 'the provider said nothing of groups, so that the rights of somebody stay');
    cookies.push(providerSessionCookie(context).write(signOutHint));
    if (answer.result !== 'Created') {
      cookies.push(context.pendingCookie.write(answer.pendingToken));
      const wants = answer.result === 'FactorWanted' ? 'factor' : 'enrolment';
      return `/login?${new URLSearchParams({ wants, redirect: purpose.returnTo }).toString()}`;
    }
    await enterSession(context, request, reply, { ...answer, isRemembered: false });
    return purpose.returnTo;
  } catch (error) {
    if (error instanceof ActionError && error.kind === 'Throttled') return failurePage('Throttled', page);
    if (!(error instanceof OidcRefused)) throw error;
    context.log.info({ err: error.cause, reason: error.reason }, 'a sign-in at the provider was refused');
    // A browser without the cookie has begun nothing here, and fills no log.
    if (cookie !== undefined) await signInAs(context, request, undefined);
    return failurePage(error.reason, page);
  }
}

/** Where somebody is told how a sign-in ended. */
function pageOf(purpose: Purpose | undefined, hasSession: boolean) {
  if (!hasSession) return '/login';
  return purpose?.testsSessionId === undefined ? securityPage : settingsPage;
}

/** Counts a step that has the hub ask the provider. */
function count(context: HttpContext, request: IncomingMessage) {
  const { origin } = callerOf(context, anonymous, request);
  return context.executor.run({ ...systemCaller, origin }, CountProviderSignIn, {});
}

/** Counts a step of somebody in a session, who has just proved to be this user. */
async function steppedUpSession(context: HttpContext, request: IncomingMessage): Promise<Id<'session'>> {
  const identity = await identifyReader(context, request);
  if (identity.sessionId === undefined) throw new ActionError('NotSignedIn', 'Sign in first.');
  const inSession = callerOf(context, identity, request);
  const { origin } = callerOf(context, anonymous, request);
  await context.executor.run({ ...systemCaller, origin }, CountProviderSignIn, { inSession });
  return identity.sessionId;
}

function signInAs(
  context: HttpContext,
  request: IncomingMessage,
  identity: ProviderIdentity | undefined,
  invitationToken?: string,
) {
  const { origin } = callerOf(context, anonymous, request);
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, maxUserAgentLength);
  return context.executor.run({ ...systemCaller, origin }, SignInByIdentity, {
    identity,
    userAgent,
    invitationToken,
  });
}

/** Links only in the session that asked for it: otherwise somebody could have another's browser finish what they began. */
async function link(
  context: HttpContext,
  request: IncomingMessage,
  identity: ProviderIdentity,
  linksSessionId: string,
): Promise<string> {
  const { sessionId, userId } = await identifyReader(context, request);
  if (sessionId !== linksSessionId || userId === undefined) throw new OidcRefused('Invalid');
  const input = { identity, userId: userId as Id<'user'> };
  const { origin } = callerOf(context, anonymous, request);
  const { result } = await context.executor.run({ ...systemCaller, origin }, LinkIdentity, input);
  return result === 'Linked' ? `${securityPage}?provider=linked` : failurePage('Taken', securityPage);
}

/** Confirms only the session that asked for it, and gives it a new cookie. */
async function confirm(
  context: HttpContext,
  request: IncomingMessage,
  identity: ProviderIdentity,
  { confirmsSessionId, cookies }: { readonly confirmsSessionId: string; readonly cookies: string[] },
): Promise<string> {
  const { sessionId, userId } = await identifyReader(context, request);
  if (sessionId === undefined || sessionId !== confirmsSessionId || userId === undefined)
    throw new OidcRefused('Invalid');
  const { origin } = callerOf(context, anonymous, request);
  const input = { identity, userId, sessionId };
  const answer = await context.executor.run({ ...systemCaller, origin }, StepUpByIdentity, input);
  if (answer.result === 'Refused') return failurePage('NotYours', securityPage);
  cookies.push(renewedCookie(context, userId, answer));
  return `${securityPage}?provider=confirmed`;
}

/** Notes a test only in the session that began it. */
async function noteTest(
  context: HttpContext,
  request: IncomingMessage,
  tested: { readonly issuer: string; readonly clientId: string },
  testsSessionId: string,
): Promise<string> {
  const { sessionId, userId } = await identifyReader(context, request);
  if (sessionId !== testsSessionId || userId === undefined) throw new OidcRefused('Invalid');
  const input = { ...tested, userId: userId as Id<'user'> };
  const { origin } = callerOf(context, anonymous, request);
  const { isNoted } = await context.executor.run({ ...systemCaller, origin }, NoteProviderTest, input);
  return isNoted ? `${settingsPage}?provider=tested` : failurePage('Invalid', settingsPage);
}

/** Ends the sessions that a logout token names. */
async function endSessions(
  context: HttpContext,
  signIn: ProviderSignIn,
  token: string,
  request: IncomingMessage,
): Promise<string> {
  // Whatever has not even the form is neither counted nor checked.
  if (!signIn.isLogoutToken(token)) throw new OidcRefused('Invalid');
  const { origin } = callerOf(context, anonymous, request);
  await context.executor.run({ ...systemCaller, origin }, CountProviderSignIn, { isLogout: true });
  const logout = await signIn.readLogoutToken(token);
  const { result } = await context.executor.run({ ...systemCaller, origin }, EndProviderSessions, logout);
  if (result === 'Used') throw new OidcRefused('Invalid');
  return '{}';
}

/** Reads the body of a form, as providers send logout tokens. */
async function readForm(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > anonymousBodyBytes) throw new ActionError('TooLarge', 'The body is too large.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** A path of the console; the first page for anything else. */
function pathOf(redirect: unknown): string {
  const origin = 'http://hub';
  const isPath = typeof redirect === 'string' && /^\/(?![/\\])[^\p{Cc}\\]*$/u.test(redirect);
  return isPath && new URL(redirect, origin).origin === origin ? redirect : '/';
}
