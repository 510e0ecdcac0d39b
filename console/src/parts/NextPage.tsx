import { Button } from '../ui/action/Button.tsx';
import type { MoreRows } from './row-source.ts';

/** The button that loads more of a list, or the sentence at its end; and why the last page could not be read. */
export function NextPage({ more: { label, load, end, isLoading, failure } }: { more: MoreRows }) {
  return (
    <div className="flex flex-col items-center gap-2 py-4 text-body text-ink3 print:hidden">
      {load === undefined ? (
        end
      ) : (
        <Button loading={isLoading} onClick={load}>
          {label}
        </Button>
      )}
      {failure !== undefined && (
        <p role="alert" className="text-danger">
          {failure}
        </p>
      )}
    </div>
  );
}
