import { CircleAlert, RotateCw } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import { requestIdOf } from '../form/message-of.ts';

/**
 * Says that a section or a page failed, with Retry and a toggle that reveals the error message, which is shown at once where it says what to change. Says when the hub is away. Shows the error's
 * `requestId`, if it has one, as a tag to copy.
 */
export function ErrorScreen({
  error,
  onRetry,
  level = 2,
}: {
  error: unknown;
  onRetry?: (() => void) | undefined;
  level?: 1 | 2 | 3 | undefined;
}) {
  const [isShown, setIsShown] = useState(() => isOfKind(error, 'Invalid'));
  const detailsId = useId();
  const Heading = `h${level}` as const;
  const requestId = requestIdOf(error);
  const text = error instanceof Error ? error.message : String(error);
  const details = useDetails();
  return (
    <div
      role="alert"
      className={`flex w-full max-w-[36rem] flex-col gap-4 ${level === 1 ? 'mx-auto px-6 py-16' : ''}`}
    >
      <div className="flex items-center gap-3">
        <CircleAlert size={22} aria-hidden className="shrink-0 text-danger" />
        <Heading tabIndex={-1} className={level === 1 ? 'text-title' : 'text-section'}>
          {uiCopy.error.title}
        </Heading>
      </div>
      {isOfKind(error, 'NotReady') && <p className="text-body text-ink2">{uiCopy.error.away}</p>}
      <div className="flex flex-wrap items-center gap-3">
        {onRetry !== undefined && (
          <Button icon={<RotateCw size={15} aria-hidden />} onClick={onRetry}>
            {uiCopy.error.retry}
          </Button>
        )}
        <Button
          variant="quiet"
          aria-expanded={isShown}
          aria-controls={detailsId}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? uiCopy.error.hide : uiCopy.error.show}
        </Button>
        {requestId !== undefined &&
          (details === undefined ? <code>{requestId}</code> : <details.RequestId id={requestId} />)}
      </div>
      <div id={detailsId} hidden={!isShown}>
        {details === undefined ? (
          <p className="wrap-anywhere">{text}</p>
        ) : (
          <details.ErrorMessage text={text} />
        )}
      </div>
    </div>
  );
}

// Lazy, because every page loads this one; while the hub is unreachable the texts are plain.
const loadDetails = () => import('./error-details.tsx');

function useDetails(): Awaited<ReturnType<typeof loadDetails>> | undefined {
  const [details, setDetails] = useState<Awaited<ReturnType<typeof loadDetails>>>();
  useEffect(() => {
    let isMounted = true;
    loadDetails().then(
      (loaded) => isMounted && setDetails(loaded),
      () => undefined,
    );
    return () => void (isMounted = false);
  }, []);
  return details;
}

function isOfKind(error: unknown, kind: string): boolean {
  return error instanceof Error && 'kind' in error && error.kind === kind;
}
