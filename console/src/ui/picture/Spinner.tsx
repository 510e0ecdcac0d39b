import { uiCopy } from '../copy.ts';
import { Logo } from './Logo.tsx';

/** The logo as a loading indicator; with reduced motion, and for screen readers, the text `label` instead. */
export function Spinner({
  label = uiCopy.loading,
  size = 24,
}: {
  label?: string | undefined;
  size?: number | undefined;
}) {
  return (
    <span role="status" className="inline-flex items-center gap-2">
      <Logo size={size} isSpinning className="motion-reduce:hidden" />
      <span className="sr-only motion-reduce:not-sr-only">{label}</span>
    </span>
  );
}
