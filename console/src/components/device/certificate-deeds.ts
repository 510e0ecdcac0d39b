import { enDevice } from '../../copy/en-device.ts';
import type { DeviceCertificate } from './device-details.ts';

const words = enDevice.certificates;

/** What can be done with a certificate. */
export type CertificateDeed = 'accept' | 'reject' | 'revoke' | 'delete';

/** A certificate and what somebody wants to do with it. */
export type CertificateQuestion = { certificate: DeviceCertificate; deed: CertificateDeed };

/** The status that a deed gives; deleting gives none. */
export const statusAfter = { accept: 'Active', reject: 'Rejected', revoke: 'Revoked' } as const;

/** What a certificate of each status may undergo besides being deleted. */
export const deedsOf: Readonly<Record<DeviceCertificate['status'], readonly CertificateDeed[]>> = {
  Pending: ['accept', 'reject'],
  Active: ['revoke'],
  Rejected: [],
  Revoked: [],
};

/** The words of the question before each deed. */
export const deedWords: Readonly<
  Record<CertificateDeed, { title: string; text: string; verb: string; done: string }>
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
