import type { AuthenticationMethod, Id } from '@corral/contract';
import { networkOf } from '../../../auth/network.ts';

const userAgentCharacters = 1000;

/** A sign-in, or a confirmation in a session, that failed. */
interface Failure {
  /** Undefined where there is no such user. */
  readonly userId: Id<'user'> | undefined;
  readonly method: AuthenticationMethod;
  readonly userAgent?: string;
  readonly sessionId?: Id<'session'>;
}

/** What the audit log keeps of a failure. */
export function failedSignIn({ ip }: { readonly ip?: string | undefined }, failure: Failure) {
  const { userId, method, userAgent, sessionId } = failure;
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(ip === undefined ? {} : { network: networkOf(ip) }),
    method,
    ...(userAgent === undefined ? {} : { userAgent: userAgent.slice(0, userAgentCharacters) }),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}
