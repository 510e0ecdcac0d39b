import { Button } from '../../../ui/action/Button.tsx';
import { deviceCopy } from './copy.ts';

const words = deviceCopy.expand;

/** The button at the end of a card that shows the rest of its items, or hides it again. */
export function ShowMore({
  hidden,
  isExpanded,
  onToggle,
}: {
  /** How many items do not show now. */
  hidden: number;
  isExpanded: boolean;
  onToggle: () => void;
}) {
  return (
    <div className="border-t border-line px-2 py-1 print:hidden">
      <Button variant="quiet" size="small" aria-expanded={isExpanded} onClick={onToggle}>
        {isExpanded ? words.fewer : words.more(hidden)}
      </Button>
    </div>
  );
}
