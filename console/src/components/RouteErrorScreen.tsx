import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorScreen } from '../ui/layout/ErrorScreen.tsx';

/** The screen of a route that failed; Retry loads it again and keeps everything around it. */
export function RouteErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <ErrorScreen
      error={error}
      level={1}
      onRetry={() => {
        reset();
        void router.invalidate();
      }}
    />
  );
}
