/** A double rule that closes a page header or a group of the sidebar. */
export function DoubleRule({ className }: { className?: string | undefined }) {
  return <div aria-hidden className={`double-rule ${className ?? ''}`} />;
}
