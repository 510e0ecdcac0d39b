import { IdTag } from '../ui/text/IdTag.tsx';
import { useFollowPath } from './use-follow-path.ts';

/** An id as a tag that links to what it names. */
export function IdLink({
  id,
  what,
  path,
  length,
}: {
  id: string;
  what: string;
  path: string;
  length: number;
}) {
  return <IdTag value={id} what={what} length={length} href={path} onFollow={useFollowPath(path)} />;
}
