import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { empty, text } from '../scalars.ts';

const objectStore = {
  endpoint: text,
  bucket: text,
  region: text.optional(),
  prefix: text.optional(),
  forcePathStyle: z.boolean().optional(),
  accessKeyId: text,
};

/** Actions on the object stores of repositories, in the shapes of the clients of 2025 and of 2026. */
export const objectStoresActions = {
  repositories_SetRepositoryS3Config: command({
    doc: 'Sets the S3-compatible store of a repository, for assets uploaded from now on.',
    input: z.object({
      repositoryId: ids.repository.schema,
      s3Endpoint: text,
      s3Bucket: text,
      s3Region: text.optional(),
      s3Prefix: text.optional(),
      s3AccessKeyId: text,
      s3SecretAccessKey: text,
    }),
    output: empty,
  }),
  repositories_GetRepositoryS3Config: query({
    doc: 'Returns the S3-compatible store of a repository, without its secret key.',
    reads: [],
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
    doc: 'Sets the S3-compatible store of a repository, for assets uploaded from now on; without a secret key the stored one is kept.',
    input: z.object({
      repositoryId: ids.repository.schema,
      s3Config: z.object({ ...objectStore, secretAccessKey: text.optional() }),
    }),
    output: empty,
  }),
  repositories_GetS3Config: query({
    doc: 'Returns the S3-compatible store of a repository, without its secret key; Invalid if none is set.',
    reads: [],
    input: z.object({ repositoryId: ids.repository.schema }),
    output: z.object({ s3Config: z.object(objectStore) }),
  }),
} as const;
