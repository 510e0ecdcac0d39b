import { type AnswerTable, tableExecutor } from '@corral/client';
import type { Hub } from './hub.ts';

/** A hub that answers from tables, for component tests. Signing in and out succeed and there is no banner and sign-up is open unless told. */
export function tableHub(answers: AnswerTable, doors: Partial<Omit<Hub, 'invoke'>> = {}): Hub {
  return {
    ...tableExecutor(answers),
    signIn: async () => {},
    signOut: async () => {},
    readConfig: async () => ({ scripts: [], isInsecure: false, isRegistrationOpen: true }),
    ...doors,
  };
}
