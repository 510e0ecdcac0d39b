import { ids, type Id } from '@corral/contract';
import type { Identity } from '../../../auth/oidc/provider.ts';
import type { CallContext, Internal } from '../../../calls/handler.ts';
import { admitNewcomer, type RefusedNewcomer } from '../policy/newcomers.ts';
import { followGroups } from '../sql/follow-groups.ts';
import { isEnabled, noteUse, renewIdentity } from '../sql/user-identities.ts';
import { beginSession, emitSessionEvents, failedSignIn } from '../../users/index.ts';

interface Attempt {
  /** Undefined: the answer of the provider could not be verified. */
  readonly identity: Identity | undefined;
  /** Of the link of an invitation, which makes the account of somebody who has none. */
  readonly invitationToken?: string | undefined;
  readonly userAgent: string;
}

type SignInAnswer =
  | { readonly result: 'Refused'; readonly reason: RefusedNewcomer }
  | ({ readonly isUnsaid: boolean } & (
      | { readonly result: 'Created'; readonly userId: Id<'user'>; readonly sessionToken: Id<'sessionToken'> }
      | {
          readonly result: 'FactorWanted' | 'EnrolmentWanted';
          readonly pendingToken: Id<'pendingSignIn'>;
        }
    ));

type Context = CallContext<Attempt>;

const validForSecs = 24 * 3600;

/** Starts a session for the user to whom an identity is linked, never by its e-mail address, which may be another's; makes the account of who was invited, or whom the domain of the address allows. The groups at the provider are followed first. */
export const SignInByIdentity: Internal<Attempt, SignInAnswer> = {
  name: 'users_SignInByIdentity',
  isRecorded: true,
  isForAnonymous: true,
  async run(context) {
    const { tx, input, origin, now, emit } = context;
    const { identity, userAgent } = input;
    const found = identity === undefined ? 'Unknown' : await findUser(context, identity);
    if (identity === undefined || typeof found === 'string') {
      emit('users_SignInFailed', failedSignIn(origin, { userId: undefined, method: 'provider', userAgent }));
      return { result: 'Refused', reason: found as RefusedNewcomer };
    }
    const userId = ids.user.of(found.userId);
    const isUnsaid = await follow(context, identity, found.userId);
    const begun = await beginSession(tx, {
      userId: found.userId,
      methods: ['provider'],
      userAgent,
      address: origin.ip,
      validForSecs,
      identity,
      now,
    });
    if (begun === undefined) {
      emit('users_SignInFailed', failedSignIn(origin, { userId, method: 'provider', userAgent }));
      return { result: 'Refused', reason: 'Unknown' };
    }
    if (begun.result !== 'Finished') return { ...begun, isUnsaid };
    await noteUse(tx, identity, now);
    emitSessionEvents(emit, userId, begun);
    return { result: 'Created', userId, sessionToken: begun.sessionToken, isUnsaid };
  },
};

/** The raw id of the user, whose account may be new. */
async function findUser(
  { tx, input: { invitationToken }, now, vault, emit }: Context,
  identity: Identity,
): Promise<{ readonly userId: string } | RefusedNewcomer> {
  const userId = await renewIdentity(tx, identity);
  if (userId !== undefined) return { userId };
  const newcomer = await admitNewcomer({ tx, now, vault }, identity, invitationToken);
  if (typeof newcomer === 'string') {
    // Another tab may have made the account meanwhile.
    const made = await renewIdentity(tx, identity);
    return made === undefined ? newcomer : { userId: made };
  }
  for (const [name, data] of newcomer.changes) emit(name, data);
  const actor = { actor: 'User', kind: 'User', userId: ids.user.of(newcomer.userId) } as const;
  emit('users_IdentityLinked', { userId: actor.userId }, actor);
  return newcomer;
}

/** Follows the groups of a user who is not disabled; whether the provider said nothing of them although it should. */
async function follow({ tx, now, emit }: Context, { groups }: Identity, userId: string): Promise<boolean> {
  if (!(await isEnabled(tx, userId))) return false;
  const { isUnsaid, changes } = await followGroups(tx, { userId, groups, now });
  for (const [name, data] of changes) emit(name, data);
  return isUnsaid;
}
