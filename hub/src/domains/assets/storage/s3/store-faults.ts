import { AddressRefused, type AddressRefusal } from '../../../../platform/outgoing/address-rule.ts';
import { StorageError, type StorageFault } from '../asset-storage.ts';
import type { StoreSettings } from './store-settings.ts';

/** What the library throws for an answer that is an error. */
export interface ServiceError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number };
}

/** The HTTP status of a failed request, if the store answered. */
export function statusOf(error: unknown): number | undefined {
  return (error as ServiceError).$metadata?.httpStatusCode;
}

/** How often a failed request was sent. */
export function attemptsOf(error: unknown): number {
  return (error as ServiceError).$metadata?.attempts ?? 1;
}

/** The codes of S3 look like this. Whatever else a store answers may come from a service that is none, and is told to no one but the operator. */
const codeForm = /^[A-Za-z]{1,40}$/;

/** The code of a failed request as its store names it; undefined if it is none. */
export function codeOf({ name = '' }: ServiceError): string | undefined {
  return codeForm.test(name) && name !== 'Error' && name !== 'Unknown' ? name : undefined;
}

const sentences: Readonly<Record<string, [StorageFault, string]>> = {
  InvalidAccessKeyId: ['Refused', 'does not know the access key: check the key id'],
  // The same from versitygw.
  XAdminUserNotFound: ['Refused', 'does not know the access key: check the key id'],
  SignatureDoesNotMatch: ['Refused', 'refuses the signature: check the secret key, and the region'],
  AccessDenied: ['Refused', 'denies access: check what the key may do in the bucket'],
  NoSuchBucket: ['Refused', 'has no such bucket: check its name'],
  RequestTimeTooSkewed: ['Refused', 'has another time than the hub: set the clocks of both'],
  PermanentRedirect: ['Refused', 'has the bucket in another region: check region and endpoint'],
  AuthorizationHeaderMalformed: ['Refused', 'expects another region: check region and endpoint'],
  NoSuchKey: ['Missing', 'does not have the bytes of the asset: upload it again'],
  NotFound: ['Missing', 'does not have the bytes of the asset: upload it again'],
  EntityTooLarge: ['Full', 'does not take objects of this size'],
  QuotaExceeded: ['Full', 'has no space left for this bucket'],
  XMinioStorageFull: ['Full', 'has no space left'],
  InvalidPart: [
    'DigestMismatch',
    'was given other bytes for a part while it joined them: upload the file again',
  ],
  SlowDown: ['Unreachable', 'is overloaded: try again later'],
  AbortError: ['Unreachable', 'does not answer in time: try again later'],
  TimeoutError: ['Unreachable', 'does not answer in time: try again later'],
};
const faultByStatus: Readonly<Record<number, [StorageFault, string]>> = {
  401: ['Refused', 'refuses the credentials'],
  403: ['Refused', 'denies access: check the credentials and what they may do in the bucket'],
  404: ['Refused', 'does not find what the hub asks for: check endpoint, bucket and credentials'],
  503: ['Unreachable', 'is overloaded: try again later'],
  507: ['Full', 'has no space left'],
};

const refusals: Readonly<Record<AddressRefusal, string>> = {
  Forbidden: 'A store cannot be at the address of this host: use another endpoint.',
  Private: 'The address of the store is private: ask the operator to add it to CORRAL_PRIVATE_TARGETS.',
  Unencrypted: 'A store on the internet is reached by https: change http to https.',
};

/** The store in a sentence. */
export function storeName({ endpoint, bucket }: StoreSettings): string {
  return `The store ${new URL(endpoint).host} (bucket ${bucket})`;
}

/** The StorageError for a failed request to a store. Its message names host and bucket, the store's code, and never a secret. */
export function storeFault(error: unknown, settings: StoreSettings): StorageError {
  if (error instanceof StorageError) return error;
  const { cause } = error as { cause?: unknown };
  if (cause instanceof StorageError) return cause;
  const refused = [error, cause].find((one) => one instanceof AddressRefused);
  if (refused !== undefined) return new StorageError('Refused', refusals[refused.refusal]);
  const store = storeName(settings);
  const status = statusOf(error);
  const { name = 'Error', code } = error as ServiceError;
  const byCode = Object.hasOwn(sentences, name) ? sentences[name] : undefined;
  const known = byCode ?? (status === undefined ? undefined : faultByStatus[status]);
  if (known !== undefined) return new StorageError(known[0], `${store} ${known[1]}.`, { cause: error });
  const why =
    status === undefined
      ? `cannot be reached (${code ?? name})`
      : `failed (${[status, codeOf(error as ServiceError)].filter(Boolean).join(' ')})`;
  return new StorageError('Unreachable', `${store} ${why}: try again later.`, { cause: error });
}

/** What a store itself says about a failed request, for the operator: one line without control characters or the key. */
export function storeWords(error: unknown, { accessKeyId, secretAccessKey }: StoreSettings): string {
  const { name = '', message = '' } = error as ServiceError;
  const words = `${name}: ${message}`.replaceAll(secretAccessKey, '…').replaceAll(accessKeyId, '…');
  return words
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);
}
