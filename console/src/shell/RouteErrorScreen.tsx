import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorScreen } from '../ui/layout/ErrorScreen.tsx';

/** The router's error component; Retry loads the route again and keeps the surrounding layout. */
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
