import { terms } from '../../copy/terms.ts';
import { BetaBadge } from '../../ui/badge/BetaBadge.tsx';
import { Logo } from '../../ui/picture/Logo.tsx';

/** Logo, name and beta badge, for pages without the header. */
export function Brand() {
  return (
    <p className="flex items-center gap-3">
      <Logo size={30} className="text-denim" />
      <span className="text-[1.25rem] leading-7 font-bold">{terms.product}</span>
      <BetaBadge />
    </p>
  );
}
