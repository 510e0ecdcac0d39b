import { useRouter } from '@tanstack/react-router';
import { type MouseEvent } from 'react';
import { IdTag } from '../ui/text/IdTag.tsx';

/** An id as a tag that links to what it names; the router's Link would subscribe each to every navigation. */
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
  const router = useRouter();
  function follow(event: MouseEvent): void {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.history.push(path);
  }
  return <IdTag value={id} what={what} length={length} href={path} onFollow={follow} />;
}
