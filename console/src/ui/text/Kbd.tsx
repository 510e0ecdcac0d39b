/** A key of the keyboard. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="own-direction inline-flex h-5 min-w-5 items-center justify-center rounded-control border border-line bg-surface px-1 font-sans text-small text-ink3">
      {children}
    </kbd>
  );
}
