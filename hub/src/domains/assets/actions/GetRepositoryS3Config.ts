import type { Handler } from '../../../calls/handler.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { currentObjectStore } from '../sql/object-stores.ts';

/** Returns the S3-compatible store of a repository, in the shape of the clients of 2025. */
export const GetRepositoryS3Config: Handler<'repositories_GetRepositoryS3Config', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnRepository(tx, actor, input.repositoryId),

  async run({ tx }, { repositoryId }) {
    const store = await currentObjectStore(tx, repositoryId);
    if (store === undefined) return {};
    const { endpoint, bucket, region, prefix, accessKeyId } = store;
    return {
      s3Endpoint: endpoint,
      s3Bucket: bucket,
      ...(region === undefined ? {} : { s3Region: region }),
      ...(prefix === '' ? {} : { s3Prefix: prefix }),
      s3AccessKeyId: accessKeyId,
    };
  },
};
