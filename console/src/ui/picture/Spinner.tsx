import { en } from '../../copy/en.ts';
import { Mark } from './Mark.tsx';

/** The mark as a loading sign, with the word for those who asked for less motion or cannot see it. */
export function Spinner({
  label = en.loading,
  size = 24,
}: {
  label?: string | undefined;
  size?: number | undefined;
}) {
  return (
    <span role="status" className="inline-flex items-center gap-2">
      <Mark size={size} isSpinning className="motion-reduce:hidden" />
      <span className="sr-only motion-reduce:not-sr-only">{label}</span>
    </span>
  );
}
