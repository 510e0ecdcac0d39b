import { Spinner } from '../ui/picture/Spinner.tsx';

/** The router's pending component: shows while a route loads longer than `defaultPendingMs`. */
export function PendingScreen() {
  return (
    <div className="flex min-h-64 items-center justify-center text-denim">
      <Spinner size={40} />
    </div>
  );
}
