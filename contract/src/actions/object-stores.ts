import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { empty, text } from '../scalars.ts';

const place = {
  endpoint: text,
  bucket: text,
  region: text.optional(),
  prefix: text.optional(),
  forcePathStyle: z.boolean().optional(),
  accessKeyId: text,
};

/** The actions of where a repository keeps its assets, in the shape of the first clients and in that of the newer ones. */
export const objectStoresActions = {
  repositories_SetRepositoryS3Config: command({
    doc: 'Stores the assets of a repository in an S3-compatible store from now on.',
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
    doc: 'Reads where a repository stores its assets, never the secret key.',
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
    doc: 'Stores the assets of a repository in an S3-compatible store from now on, with the secret key that is stored already unless one is given.',
    input: z.object({
      repositoryId: ids.repository.schema,
      s3Config: z.object({ ...place, secretAccessKey: text.optional() }),
    }),
    output: empty,
  }),
  repositories_GetS3Config: query({
    doc: 'Reads which S3-compatible store a repository keeps its assets in, never the secret key; refused where it is none.',
    reads: [],
    input: z.object({ repositoryId: ids.repository.schema }),
    output: z.object({ s3Config: z.object(place) }),
  }),
} as const;
