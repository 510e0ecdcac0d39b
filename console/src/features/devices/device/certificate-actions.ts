import { hubNow } from '../../../data/hub-clock.ts';
import { toMs } from '../../../ui/time/format-time.ts';
import { deviceCopy } from './copy.ts';
import type { DeviceCertificate } from './device-details.ts';

const words = deviceCopy.certificates;

/** An action on a certificate. */
export type CertificateAction = 'accept' | 'reject' | 'revoke' | 'prolong' | 'delete';

/** The status that an action sets; `delete` sets none. */
export const statusAfter = {
  accept: 'Active',
  reject: 'Rejected',
  revoke: 'Revoked',
  prolong: 'Active',
} as const;

/** The actions that each status allows, besides `delete`. */
const actionsByStatus: Readonly<Record<DeviceCertificate['status'], readonly CertificateAction[]>> = {
  Pending: ['accept', 'reject'],
  Active: ['revoke'],
  Rejected: [],
  Revoked: [],
};

const dayMs = 86_400_000;

/** The actions that a certificate allows, besides `delete`: one that ends within a day, or has ended, can be accepted for another. */
export function actionsOf({ status, endsAt }: DeviceCertificate): readonly CertificateAction[] {
  const endsSoon = endsAt !== undefined && toMs(endsAt) < hubNow() + dayMs;
  return [...(status === 'Active' && endsSoon ? (['prolong'] as const) : []), ...actionsByStatus[status]];
}

/** The texts of the confirmation of an action, and of the toast afterwards. */
export function actionWords(action: CertificateAction): {
  title: string;
  text: string;
  verb: string;
  done: string;
} {
  return {
    title: words[`${action}Title`],
    text: words[`${action}Text`],
    verb: words[action],
    done: words.done[action],
  };
}
