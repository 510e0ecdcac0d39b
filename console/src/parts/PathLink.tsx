import { useFollowPath } from './use-follow-path.ts';

/** A name in running text or a cell that leads to its page. */
export function PathLink({ text, path }: { text: string; path: string }) {
  return (
    <a
      href={path}
      onClick={useFollowPath(path)}
      className="rounded-control font-head wrap-break-word underline decoration-line underline-offset-3 hover:text-denim hover:decoration-current"
    >
      {text}
    </a>
  );
}
