/** A double rule that closes a page header or a group of the sidebar. */
export function Rails({ className }: { className?: string | undefined }) {
  return <div aria-hidden className={`rails ${className ?? ''}`} />;
}
