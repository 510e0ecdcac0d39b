/** The double rule under the title of a page, and of nothing else. */
export function DoubleRule({ className }: { className?: string | undefined }) {
  return <div aria-hidden className={`double-rule ${className ?? ''}`} />;
}
