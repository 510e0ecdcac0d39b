/** A filled dot or a hollow ring in the current colour, 8 px. */
export function StatusDot({ isHollow = false }: { isHollow?: boolean | undefined }) {
  return (
    <span
      aria-hidden
      className={`inline-block size-2 shrink-0 rounded-full border-[1.5px] border-current ${isHollow ? '' : 'bg-current filled-when-forced'}`}
    />
  );
}
