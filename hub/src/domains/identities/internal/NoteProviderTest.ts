import type { Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { isAdministrator } from '../../users/index.ts';
import { noteTest } from '../sql/provider-tests.ts';

interface Test {
  readonly issuer: string;
  readonly clientId: string;
  readonly userId: Id<'user'>;
}

/** Notes that an administrator has signed in at the provider with these settings; from then on it is offered to others. */
export const NoteProviderTest: Internal<Test, { readonly isNoted: boolean }> = {
  name: 'users_NoteProviderTest',
  isRecorded: true,
  async run({ tx, input: { issuer, clientId, userId }, now, emit }) {
    const actor = { actor: 'User', kind: 'User', userId } as const;
    if (!(await isAdministrator(tx, actor))) return { isNoted: false };
    await noteTest(tx, issuer, clientId, now);
    emit('users_ProviderTested', { userId }, actor);
    return { isNoted: true };
  },
};
