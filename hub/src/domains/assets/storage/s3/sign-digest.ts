import type { PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';

/** Lets the signature of an upload cover its bytes, whose digest is known; the library would sign them as unknown. */
export function signDigest(command: PutObjectCommand | UploadPartCommand, digest: Buffer): void {
  // The stacks of both commands take the same middleware, but their types have no common one.
  const { middlewareStack } = command as PutObjectCommand;
  middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      headers['x-amz-content-sha256'] = digest.toString('hex');
      return next(args);
    },
    { step: 'build', name: 'signDeclaredDigest', priority: 'low' },
  );
}
