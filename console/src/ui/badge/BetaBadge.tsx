import { terms } from '../../copy/terms.ts';

/** The "beta" tag of the header. */
export function BetaBadge() {
  return (
    <span className="id-tag inline-flex h-5 items-center bg-rivet-wash ps-4 pe-2 text-small font-head text-rivet [--id-tag-hole:var(--color-rivet)]">
      {terms.beta}
    </span>
  );
}
