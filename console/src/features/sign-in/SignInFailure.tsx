import { terms } from '../../copy/terms.ts';
import { Notice } from '../../ui/layout/Notice.tsx';

/** Why a step of the sign-in failed; it keeps its place, so that nothing moves when it appears. */
export function SignInFailure({ failure }: { failure: string | undefined }) {
  return (
    <div className="min-h-22">
      {failure !== undefined && (
        <Notice tone="danger" title={terms.errorTitle}>
          {failure}
        </Notice>
      )}
    </div>
  );
}
