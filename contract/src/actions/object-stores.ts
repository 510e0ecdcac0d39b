import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { empty, text, timestamp } from '../scalars.ts';

const objectStore = {
  endpoint: text,
  /** Where clients reach the store, if that is another address than the hub's; `none` if they cannot, so that all bytes go through the hub. */
  publicEndpoint: text.optional(),
  bucket: text,
  region: text.optional(),
  prefix: text.optional(),
  /** Whether the bucket is in the path of URLs; true by default. */
  forcePathStyle: z.boolean().optional(),
  accessKeyId: text,
};

/** What a check of a store found, in sentences. Nothing of it keeps the store from being used. */
const findings = z.array(
  z.object({
    name: text,
    isFine: z.boolean(),
    text,
  }),
);

/** Actions on the object stores of repositories, in the shapes of the clients of 2025 and of 2026. */
export const objectStoresActions = {
  repositories_SetRepositoryS3Config: command({
    doc: 'Sets the S3-compatible store of a repository, for assets uploaded from now on, and checks what it enforces; settings that this shape lacks are kept, for the same endpoint and bucket.',
    input: z.object({
      repositoryId: ids.repository.schema,
      s3Endpoint: text,
      s3Bucket: text,
      s3Region: text.optional(),
      s3Prefix: text.optional(),
      s3AccessKeyId: text,
      s3SecretAccessKey: text,
    }),
    output: z.object({ findings }),
  }),
  repositories_GetRepositoryS3Config: query({
    doc: 'Returns the S3-compatible store of a repository, without its secret key.',
    reads: ['repositories'],
    input: z.object({ repositoryId: ids.repository.schema }),
    output: z.object({
      s3Endpoint: text.optional(),
      s3Bucket: text.optional(),
      s3Region: text.optional(),
      s3Prefix: text.optional(),
      s3AccessKeyId: text.optional(),
    }),
  }),
  repositories_SetS3Config: command({
    doc: 'Sets the S3-compatible store of a repository, for assets uploaded from now on, and checks what it enforces; without a secret key the stored one is kept, for the same endpoint; without publicEndpoint the stored one is kept, for the same endpoint and bucket, and an empty one removes it.',
    input: z.object({
      repositoryId: ids.repository.schema,
      s3Config: z.object({ ...objectStore, secretAccessKey: text.optional() }),
    }),
    output: z.object({ findings }),
  }),
  repositories_GetS3Config: query({
    doc: 'Returns the S3-compatible store of a repository, without its secret key; Invalid if none is set.',
    reads: ['repositories'],
    input: z.object({ repositoryId: ids.repository.schema }),
    output: z.object({ s3Config: z.object(objectStore) }),
  }),
  repositories_GetObjectStore: query({
    doc: 'Returns where new assets of a repository go, and what the last check of that store found.',
    reads: ['repositories'],
    input: z.object({ repositoryId: ids.repository.schema }),
    output: z.object({
      /** The data folder of the hub, the S3-compatible store of the instance, or one of the repository itself. */
      kind: z.enum(['Disk', 'Instance', 'Own']),
      /** Only of the repository itself. */
      s3Config: z.object(objectStore).optional(),
      findings,
      checkedAt: timestamp.optional(),
    }),
  }),
  repositories_RemoveS3Config: command({
    doc: 'Has new assets of a repository go to the store of the instance again; those uploaded so far stay where they are.',
    input: z.object({ repositoryId: ids.repository.schema }),
    output: empty,
  }),
} as const;
