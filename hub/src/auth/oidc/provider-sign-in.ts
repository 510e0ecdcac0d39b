import { createHash } from 'node:crypto';
import { OidcRefused } from './OidcRefused.ts';
import { newFlow, type Flow, type Identity, type Provider, type ProviderLogout } from './provider.ts';

/** What a sign-in at the provider is for. */
export interface Purpose {
  /** The path in the console where the browser goes then. */
  readonly returnTo: string;
  /** The raw id of the session whose user links an identity; undefined: somebody signs in. */
  readonly linksSessionId?: string | undefined;
  /** The session of an administrator who tries the settings of the provider. */
  readonly testsSessionId?: string | undefined;
  /** The session whose user confirms who it is, by signing in there again. */
  readonly confirmsSessionId?: string | undefined;
  /** Of the link by which somebody who has no account joins. */
  readonly invitationToken?: string | undefined;
}

/** What stays in the browser until the provider answers. */
export interface FlowCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSecs: number;
}

/** Sign-ins at the provider of the instance. The hub keeps nothing of one that has begun: the browser keeps it, sealed. */
export interface ProviderSignIn {
  /** Undefined if there is no provider. */
  begin(purpose: Purpose): Promise<{ readonly url: URL; readonly cookie: FlowCookie } | undefined>;
  /** The name of the cookie that belongs to an answer. */
  cookieOf(query: string): string;
  /** What the sign-in was for that an answer belongs to; undefined if none has begun. */
  purposeOf(cookie: string | undefined): Purpose | undefined;
  /** Checks the answer, once. Rejects with OidcRefused. */
  finish(cookie: string | undefined, query: string): Promise<FinishedSignIn>;
  /** Where to send the browser to sign out of the provider, too, with the hint that it kept; undefined if the session is of another provider, or this one has no such place. */
  signOut(session: ProviderIdentity, hint: string | undefined): Promise<URL | undefined>;
  /** Whether a text has the form of a logout token of the provider. */
  isLogoutToken(token: string): boolean;
  /** Checks a logout token of the provider. Rejects with OidcRefused. */
  readLogoutToken(token: string): Promise<ProviderLogout>;
}

/** A sign-in that was checked. */
interface FinishedSignIn {
  readonly identity: Identity;
  readonly purpose: Purpose;
  readonly clientId: string;
  /** What the browser keeps to sign out there, sealed. */
  readonly signOutHint: string;
}

type ProviderIdentity = Pick<Identity, 'issuer' | 'subject'>;

interface Parts {
  readonly provider: () => Provider | undefined;
  readonly redirectUri: () => string;
  /** The page that the provider leads to after a sign-out. */
  readonly signedOutUri: () => string;
  /** Of the vault. */
  readonly seal: (text: string) => string;
  /** Throws for whatever was not sealed. */
  readonly open: (sealed: string) => string;
  readonly nowMs: () => number;
}

interface Kept {
  readonly flow: Flow;
  readonly purpose: Purpose;
  /** At which provider it began: another one, of settings that were changed since, gets nothing of it. */
  readonly provider: Pick<Provider, 'issuer' | 'clientId'>;
  readonly expiresAtMs: number;
}

const maxAgeSecs = 600;

/** Signs people in at the provider that the settings name now. */
export function providerSignIn(parts: Parts): ProviderSignIn {
  const { provider, redirectUri, signedOutUri, seal, nowMs } = parts;
  const kept = (cookie: string | undefined): Kept => keptIn(parts, cookie);
  return {
    async begin(purpose) {
      const present = provider();
      if (present === undefined) return undefined;
      const { issuer, clientId } = present;
      const flow = flowFor(purpose, nowMs());
      const url = await present.begin(flow, redirectUri());
      const expiresAtMs = nowMs() + maxAgeSecs * 1000;
      const begun: Kept = { flow, purpose, provider: { issuer, clientId }, expiresAtMs };
      const value = seal(JSON.stringify(begun));
      return { url, cookie: { name: nameOf(flow.state), value, maxAgeSecs } };
    },
    cookieOf: (query) => nameOf(new URLSearchParams(query).get('state') ?? ''),
    purposeOf: (cookie) => purposeIn(parts, cookie),
    async finish(cookie, query) {
      const { flow, purpose, provider: begunAt } = kept(cookie);
      const present = provider();
      if (present?.issuer !== begunAt.issuer || present.clientId !== begunAt.clientId)
        throw new OidcRefused('Invalid');
      const { identity, idToken } = await present.finish(flow, redirectUri(), query);
      return {
        identity,
        purpose,
        clientId: present.clientId,
        signOutHint: seal(JSON.stringify({ idToken })),
      };
    },
    async signOut({ issuer, subject }, hint) {
      const present = provider();
      if (present?.issuer !== issuer) return undefined;
      return present.signOut(signedOutUri(), idTokenOf(parts, present, hint, subject));
    },
    isLogoutToken: (token) => provider()?.isLogoutToken(token) ?? false,
    async readLogoutToken(token) {
      const present = provider();
      if (present === undefined) throw new OidcRefused('Invalid');
      return present.readLogoutToken(token);
    },
  };
}

/** What the browser kept. */
function keptIn({ open, nowMs }: Parts, cookie: string | undefined): Kept {
  try {
    const found = JSON.parse(open(cookie ?? '')) as Kept;
    if (found.expiresAtMs > nowMs()) return found;
  } catch (error) {
    throw new OidcRefused('Invalid', { cause: error });
  }
  throw new OidcRefused('Invalid');
}

function purposeIn(parts: Parts, cookie: string | undefined): Purpose | undefined {
  try {
    return keptIn(parts, cookie).purpose;
  } catch {
    return undefined;
  }
}

/** The token in what the browser kept; undefined where that is not of this person. */
function idTokenOf(
  { open }: Parts,
  provider: Provider,
  hint: string | undefined,
  subject: string,
): string | undefined {
  if (hint === undefined) return undefined;
  try {
    const { idToken } = JSON.parse(open(hint)) as { readonly idToken: string };
    return provider.isOfSubject(idToken, subject) ? idToken : undefined;
  } catch {
    return undefined;
  }
}

function flowFor({ confirmsSessionId }: Purpose, nowMs: number): Flow {
  if (confirmsSessionId === undefined) return newFlow();
  return { ...newFlow(), provedSinceSecs: Math.floor(nowMs / 1000) };
}

/** Each flow has a cookie of its own, so that two tabs both finish. */
function nameOf(state: string): string {
  return `flow-${createHash('sha256').update(state).digest('hex').slice(0, 12)}`;
}
