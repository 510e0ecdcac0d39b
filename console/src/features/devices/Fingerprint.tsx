const pairsPerGroup = 4;

/** The fingerprint of a certificate in groups of four pairs, for reading aloud and comparing. */
export function Fingerprint({ value }: { value: string }) {
  return (
    <div className="@container min-w-0 flex-1">
      <p
        dir="ltr"
        className="grid w-fit grid-cols-2 gap-x-5 gap-y-1 rounded-control border border-line bg-sunken px-3 py-2 font-mono text-mono whitespace-nowrap text-ink @min-[29rem]:grid-cols-4"
      >
        {groupsOf(value).map((group, index) => (
          <span key={index}>{group}</span>
        ))}
      </p>
    </div>
  );
}

/** Splits `AA:BB:…` into groups of four pairs. */
function groupsOf(fingerprint: string): string[] {
  const pairs = fingerprint.split(':');
  return Array.from({ length: Math.ceil(pairs.length / pairsPerGroup) }, (_, index) =>
    pairs.slice(index * pairsPerGroup, (index + 1) * pairsPerGroup).join(':'),
  );
}
