import { deviceCopy } from './copy.ts';
import type { DeviceCertificate } from './device-details.ts';

const words = deviceCopy.certificates;

/** An action on a certificate. */
export type CertificateAction = 'accept' | 'reject' | 'revoke' | 'delete';

/** A certificate and the action that a dialog asks to confirm. */
export type CertificateTarget = { certificate: DeviceCertificate; action: CertificateAction };

/** The status that an action sets; `delete` sets none. */
export const statusAfter = { accept: 'Active', reject: 'Rejected', revoke: 'Revoked' } as const;

/** The actions that each status allows, besides `delete`. */
export const actionsByStatus: Readonly<Record<DeviceCertificate['status'], readonly CertificateAction[]>> = {
  Pending: ['accept', 'reject'],
  Active: ['revoke'],
  Rejected: [],
  Revoked: [],
};

/** The texts of the confirmation of each action, and of the toast afterwards. */
export const actionWords: Readonly<
  Record<CertificateAction, { title: string; text: string; verb: string; done: string }>
> = {
  accept: {
    title: words.acceptTitle,
    text: words.acceptText,
    verb: words.accept,
    done: words.done.accept,
  },
  reject: {
    title: words.rejectTitle,
    text: words.rejectText,
    verb: words.reject,
    done: words.done.reject,
  },
  revoke: {
    title: words.revokeTitle,
    text: words.revokeText,
    verb: words.revoke,
    done: words.done.revoke,
  },
  delete: {
    title: words.deleteTitle,
    text: words.deleteText,
    verb: words.delete,
    done: words.done.delete,
  },
};
