import { deviceCopy } from './copy.ts';
import type { DeviceCertificate } from './device-details.ts';

const words = deviceCopy.certificates;

/** An action on a certificate. */
export type CertificateAction = 'accept' | 'reject' | 'revoke' | 'delete';

/** The status that an action sets; `delete` sets none. */
export const statusAfter = { accept: 'Active', reject: 'Rejected', revoke: 'Revoked' } as const;

/** The actions that each status allows, besides `delete`. */
export const actionsByStatus: Readonly<Record<DeviceCertificate['status'], readonly CertificateAction[]>> = {
  Pending: ['accept', 'reject'],
  Active: ['revoke'],
  Rejected: [],
  Revoked: [],
};

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
