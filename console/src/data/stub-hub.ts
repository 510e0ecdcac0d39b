import { type AnswerTable, tableExecutor } from '@corral/client';
import type { Hub } from './hub.ts';

/** A hub with prepared answers by action, for component tests. By default sign-in and sign-out succeed, there is no banner, sign-up is open and a mail server is set. */
export function stubHub(answers: AnswerTable, overrides: Partial<Omit<Hub, 'invoke'>> = {}): Hub {
  return {
    ...tableExecutor(answers),
    signIn: async () => {},
    beginProviderSignIn: async () => 'https://idp.example/',
    beginInvitedSignIn: async () => 'https://idp.example/',
    beginLink: async () => 'https://idp.example/',
    beginProviderTest: async () => 'https://idp.example/',
    resumeSignIn: async () => ({ wants: 'factor', hasAuthenticator: true }),
    completeSignIn: async () => ({}),
    beginPasskeySignIn: async () => ({ challenge: '', rpId: 'localhost', credentials: [] }),
    signInByPasskey: async () => {},
    stepUp: async () => {},
    beginPasskeyStepUp: async () => ({ challenge: '', rpId: 'localhost', credentials: [] }),
    beginProviderStepUp: async () => 'https://idp.example/',
    signOut: async () => undefined,
    readConfig: async () => ({
      scripts: [],
      isInsecure: false,
      isRegistrationOpen: true,
      isMailConfigured: true,
    }),
    ...overrides,
  };
}
