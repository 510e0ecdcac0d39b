import type { CallInput, Id, Output } from '@corral/contract';
import { actionQuery } from '../../../data/action-query.ts';
import { everyMinute } from '../../../data/intervals.ts';
import type { UserKind } from './users-search.ts';

/** A user in the list. */
export type ListedUser = Output<'users_QueryUsers'>['users'][number];

/** Who a listed user is, for calls. */
export const idOf = ({ userId }: ListedUser) => ({ userId: userId as Id<'user'> });

/** What the hub is asked for. */
export function filterOf(kind: UserKind | undefined): CallInput<'users_QueryUsers'> {
  if (kind === 'administrators') return { isAdmin: true };
  return kind === 'disabled' ? { isDisabled: true } : {};
}

/** A registration that is not activated yet. */
export type PendingRegistration = Output<'users_QueryRegistrations'>['registrations'][number];

/** The registrations that are not activated yet, newest first. */
export const registrationsQuery = () => actionQuery('users_QueryRegistrations', {}, everyMinute);

/** The numbers of users of each kind. */
export const userCountsQuery = () => actionQuery('users_CountUsers', {}, everyMinute);

/** What goes with a user when it is deleted. */
export const userDeletionQuery = (userId: Id<'user'>) =>
  actionQuery('users_GetUserDeletion', { userId }, everyMinute);
