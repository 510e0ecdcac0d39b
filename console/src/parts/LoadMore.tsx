import { Button } from '../ui/action/Button.tsx';

/** The "Load more" button at the end of a card. */
export function LoadMore({
  label,
  isLoading,
  onLoad,
}: {
  label: string;
  isLoading: boolean;
  onLoad: () => void;
}) {
  return (
    <div className="flex justify-center border-t border-line p-2 print:hidden">
      <Button variant="quiet" size="small" loading={isLoading} onClick={onLoad}>
        {label}
      </Button>
    </div>
  );
}
