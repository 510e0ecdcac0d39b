/** A pattern for what is not known, such as when no hub was there to see it. */
export function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="6" height="6" className="fill-surface" />
        <rect width="2" height="6" className="fill-line-strong opacity-60" />
      </pattern>
    </defs>
  );
}
